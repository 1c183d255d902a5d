import type { Logger } from 'pino';
import type { RedisScripts } from 'rest-outcome/redis';

/** One connection to Redis or Valkey, for the state that gateways share. */
export type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** Timeout of a reply. A reply usually takes 1 ms. */
const REPLY_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/** Time without any data after which the connection is closed. */
const SOCKET_TIMEOUT_MS = 3_000;
const CHECK_INTERVAL_MS = 1_000;
/** Pause between the end of a connection and the next one. */
const RECONNECT_PAUSE_MS = 250;

/** Replies of a server that takes no writes. A new connection may lead to a server that does. */
const UNUSABLE = /\b(READONLY|LOADING|MASTERDOWN|MISCONF|NOPERM|NOREPLICAS|MOVED|CLUSTERDOWN)\b/;

/** Changes nothing, but is refused as every script that writes is: unlike `PING`, it fails at a replica. */
const checkScript = `return redis.call('PEXPIRE', KEYS[1], 1)`;
const checkKeys = ['study-gateway:idempotency:check'];

/**
 * Connects to Redis, and reconnects until `close` is called. Each connection looks the host up again. Resolves after the first
 * attempt, even if it failed: most of the gateway works without Redis.
 *
 * @param url may contain a password, which must not appear in logs or errors
 */
export async function connectRedis(url: URL, logger: Logger) {
  // Imported only when Redis is used: the package makes up a third of all modules.
  const { createClient } = await import('@redis/client');
  const first = Promise.withResolvers<void>();
  let state: 'ready' | 'away' | undefined;
  let isClosed = false;
  const client = createClient({
    url: url.href,
    // A queued command would run after its caller has got an error.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      // Also after a socket timeout, after which the default of node-redis gives up.
      reconnectStrategy: RECONNECT_PAUSE_MS,
    },
  });

  function report(error?: Error): void {
    const now = error ? 'away' : 'ready';
    if (now === state || isClosed) return;
    state = now;
    first.resolve();
    if (error) logger.warn({ cause: error.message }, 'redis is away');
    else logger.info({}, 'redis is ready');
  }

  function connect(): void {
    if (!isClosed) void client.connect().catch(report);
  }

  /** Ends the connection, and with it all commands under way, and connects again. */
  function reconnect(error: Error): void {
    report(error);
    if (isClosed || !client.isReady) return;
    client.destroy();
    setTimeout(connect, RECONNECT_PAUSE_MS);
  }

  /** Never waits for a connection, nor longer than `REPLY_TIMEOUT_MS` for a reply. */
  const evaluate: RedisScripts['eval'] = async (...script) => {
    let hasReplied = false;
    const giveUp = (): void => {
      if (!hasReplied) reconnect(new Error(`redis did not reply within ${REPLY_TIMEOUT_MS} ms`));
    };
    // A process that was paused first reads the replies that have come.
    const timer = setTimeout(() => setImmediate(giveUp), REPLY_TIMEOUT_MS);
    try {
      return await client.eval(...script);
    } catch (error) {
      if (error instanceof Error && UNUSABLE.test(error.message)) reconnect(error);
      throw error;
    } finally {
      hasReplied = true;
      clearTimeout(timer);
    }
  };

  /** Notices a Redis that is silent or takes no writes while no request uses Redis. */
  const check = () =>
    evaluate(checkScript, { keys: checkKeys, arguments: [] }).then(() => report(), report);

  client.on('error', report);
  client.on('ready', () => void check());
  const timer = setInterval(() => client.isReady && void check(), CHECK_INTERVAL_MS).unref();
  connect();
  await first.promise;

  return {
    eval: evaluate,
    /** `away` while Redis is not connected, takes no writes, or does not reply in time. */
    get state(): 'ready' | 'away' {
      return state ?? 'away';
    },
    close(): void {
      isClosed = true;
      clearInterval(timer);
      client.destroy();
    },
  };
}
