import type { Logger } from 'pino';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config/config.js';

/** Redis is not connected, did not reply in time, or takes no writes. */
class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError';

  constructor(
    message: string,
    /** True if Redis may have run the command despite the error. */
    readonly mayHaveRun: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** One connection to Redis or Valkey, for the state that gateways share. */
export type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** Timeout of a reply. A reply usually takes 1 ms. */
const REPLY_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/** Time without any data after which the connection is closed. */
const SOCKET_TIMEOUT_MS = 3_000;
const CHECK_INTERVAL_MS = 1_000;
const MAX_RECONNECT_DELAY_MS = 1_000;
const SENTINEL_PORT = '26379';

/**
 * Replies of a server that cannot take writes: a replica, a server that loads its data or cannot store it, a node of a cluster, missing
 * permissions. Redis before 7 puts the reply behind a text of its own.
 */
const UNUSABLE =
  /(^|-)(READONLY|LOADING|MASTERDOWN|NOPERM|NOAUTH|NOREPLICAS|MISCONF|MOVED|ASK|TRYAGAIN|CLUSTERDOWN) |^ERR The user executing the script can't run/;

/** Changes nothing, but is refused as every write is: unlike `PING`, it fails at a replica and without permissions. */
const checkScript = `return redis.call('HDEL', KEYS[1], 'none')`;
const CHECK_KEY = 'study-gateway:idempotency:check';

const CLUSTER = 'REDIS_URL leads to a Redis Cluster, which is not supported.';

/**
 * Connects to Redis, and reconnects until `close` is called. Each connection begins with the names of `url` looked up again. Resolves
 * after the first attempt, even if it failed: most of the gateway works without Redis.
 *
 * @param url may contain a password, which must not appear in logs or errors. docs/idempotency.md describes its query
 * @throws ConfigError when the first attempt reaches a Redis Cluster, or cannot read a file of `url`
 */
export async function connectRedis(url: URL, logger: Logger) {
  // Imported only when Redis is used: the package makes up a third of all modules.
  const { createClient, ErrorReply } = await import('@redis/client');
  type Connection = ReturnType<typeof createConnection>;
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  const first = Promise.withResolvers<void>();
  /** The connection, while Redis takes writes. */
  let usable: Connection | undefined;
  let stop = (): void => {};
  /** Number of timed-out commands without a reply so far. Redis replies in order, so later commands wait too. */
  let overdue = 0;
  let wasReady: boolean | undefined;

  function createConnection(at: URL, tls: object, onError: (error: Error) => void) {
    // What a queued command asks for would be done after its caller was told that it failed.
    const disableOfflineQueue = true;
    const timeouts = { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SOCKET_TIMEOUT_MS };
    const socket = { ...timeouts, ...tls, reconnectStrategy: false } as const;
    return createClient({ url: at.href, disableOfflineQueue, socket }).on('error', onError);
  }

  const isReady = (): boolean => usable !== undefined && overdue === 0;
  const report = (error?: Error): void => {
    if (isReady() === wasReady || closing.signal.aborted) return;
    wasReady = isReady();
    if (!wasReady) return logger.warn({ cause: error?.message }, 'redis is away');
    logger.info({}, 'redis is ready');
    for (const listener of listeners) listener();
  };

  async function send(connection: Connection, command: string[]): Promise<unknown> {
    if (overdue > 0) throw new RedisAwayError('redis is away', false);
    const reply = connection.sendCommand(command);
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new RedisAwayError(`redis did not reply within ${REPLY_TIMEOUT_MS} ms`, true);
      overdue += 1;
      const settle = (): void => {
        overdue -= 1;
        report();
      };
      reply.then(settle, settle);
      timeout.reject(error);
      report(error);
    }, REPLY_TIMEOUT_MS);
    try {
      return await Promise.race([reply, timeout.promise]);
    } catch (error) {
      // Redis refused the command, or the command timed out.
      if (error instanceof ErrorReply || error instanceof RedisAwayError) throw error;
      throw new RedisAwayError('the connection to redis is lost', true, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async function run(
    connection: Connection | undefined,
    script: string,
    ...args: readonly string[]
  ): Promise<unknown> {
    if (!connection) throw new RedisAwayError('redis is away', false);
    try {
      return await send(connection, ['EVALSHA', hash('sha1', script), '1', ...args]).catch(
        (error: unknown) => {
          if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
          return send(connection, ['EVAL', script, '1', ...args]);
        },
      );
    } catch (error) {
      if (!(error instanceof ErrorReply && UNUSABLE.test(error.message))) throw error;
      connection.emit('error', error);
      throw new RedisAwayError(error.message, false, { cause: error });
    }
  }

  /** Returns the URL of the server to connect to: the primary that Sentinel names, or `url`. */
  async function findServer(tls: object): Promise<URL> {
    const server = new URL(url);
    const { master, sentinels } = Object.fromEntries(url.searchParams);
    server.search = '';
    if (master === undefined) return server;
    let cause: unknown;
    for (const sentinelHost of [url.host, ...(sentinels?.split(',') ?? [])]) {
      const at = new URL(`${url.protocol}//${sentinelHost}`);
      at.port ||= SENTINEL_PORT;
      const sentinel = createConnection(at, tls, () => {});
      try {
        await sentinel.connect();
        const command = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master];
        const place: unknown = await send(sentinel, command);
        if (!Array.isArray(place)) throw new Error(`Sentinel knows no primary ${master}`);
        const [host, port] = place.map(String);
        server.host = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
        return server;
      } catch (error) {
        cause = error;
      } finally {
        sentinel.destroy();
      }
    }
    throw new Error(`no Sentinel names the primary: ${String(cause)}`, { cause });
  }

  /** Uses one connection until its first error, with which the function rejects. */
  async function useConnection(onUsable: () => void): Promise<never> {
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => {});
    stop = () => ended.reject(new Error('closed'));
    const tls = url.protocol === 'rediss:' ? await readTls(url) : {};
    const server = await findServer(tls);
    const connection = createConnection(server, tls, ended.reject);
    const check = async (): Promise<unknown> => run(connection, checkScript, CHECK_KEY);
    /** Sentinel makes a replica of the earlier primary only seconds after its failover. */
    const watch = async (): Promise<void> => {
      const { host } = await findServer(tls);
      if (host !== server.host) ended.reject(new Error(`Sentinel names another primary: ${host}`));
    };
    const timer = setInterval(() => {
      check().catch(() => {});
      if (url.searchParams.has('master')) watch().catch(() => {});
    }, CHECK_INTERVAL_MS).unref();
    try {
      closing.signal.throwIfAborted();
      await Promise.race([connection.connect(), ended.promise]);
      // Without permission for INFO, the replies to the scripts must show a cluster.
      const about: unknown = await connection.sendCommand(['INFO', 'cluster']).catch(() => '');
      if (typeof about === 'string' && about.includes('cluster_enabled:1'))
        throw new ConfigError(CLUSTER);
      await check();
      usable = connection;
      onUsable();
      return await ended.promise;
    } finally {
      clearInterval(timer);
      usable = undefined;
      connection.destroy();
    }
  }

  async function keepConnected(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const onUsable = (): void => {
        failures = 0;
        report();
        first.resolve();
      };
      const error = await useConnection(onUsable).catch((cause: Error) => cause);
      if (error instanceof ConfigError) first.reject(error);
      report(error);
      first.resolve();
      const delayMs = Math.min(2 ** failures * 25, MAX_RECONNECT_DELAY_MS);
      const pauseMs = delayMs * (0.5 + Math.random() / 2);
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  const close = (): void => {
    closing.abort();
    stop();
  };

  void keepConnected();
  await first.promise.catch((error: unknown) => {
    close();
    throw error;
  });

  return {
    /** `away` while Redis is not connected, takes no writes, or has not replied to a command in time. */
    get state(): 'ready' | 'away' {
      return isReady() ? 'ready' : 'away';
    },
    /**
     * Runs a Lua script on one key, atomically. Never waits for a connection, and never runs the script twice.
     *
     * @throws RedisAwayError when Redis is not connected, takes no writes, or does not reply in time
     * @throws ErrorReply when Redis refuses the script for another reason: out of memory
     */
    run: (script: string, key: string, args: readonly string[]): Promise<unknown> =>
      run(usable, script, key, ...args),
    /** Returns a section of `INFO`. Throws the errors of `run`. */
    async info(section: string): Promise<string> {
      if (!usable) throw new RedisAwayError('redis is away', false);
      return String(await send(usable, ['INFO', section]));
    },
    /** Calls `listener` whenever Redis becomes ready, and at once if Redis is ready now. */
    onReady(listener: () => void): void {
      listeners.add(listener);
      if (isReady()) listener();
    },
    close,
  };
}

/** Reads the files of certificates for each connection, so that renewed ones are used. */
async function readTls({ searchParams }: URL): Promise<object> {
  const named = ['ca', 'cert', 'key'].flatMap((name) => {
    const path = searchParams.get(name);
    return path === null ? [] : [[name, path] as const];
  });
  const read = named.map(async ([name, path]) => {
    const text = await readFile(path).catch((cause: unknown) => {
      throw new ConfigError(`REDIS_URL: the file of ${name} cannot be read.`, { cause });
    });
    return [name, text] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
