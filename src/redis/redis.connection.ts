import type { Logger } from 'pino';
import { hash } from 'node:crypto';

/** Redis is not connected, or did not reply in time. */
class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError';

  constructor(
    message: string,
    /** Whether Redis may have run the command despite the error. */
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
const PING_INTERVAL_MS = 1_000;
const MAX_RECONNECT_DELAY_MS = 1_000;

/**
 * Connects to Redis, and reconnects until `close` is called. Resolves after the first attempt, even if it failed: most
 * of the gateway works without Redis.
 *
 * @param url may contain a password, which must not appear in logs or errors
 */
export async function connectRedis(url: URL, logger: Logger) {
  // Imported only when Redis is used: the package makes up a third of all modules.
  const { createClient, ErrorReply } = await import('@redis/client');
  const listeners = new Set<() => void>();
  /** Number of timed-out commands without a reply so far. Redis replies in order, so later commands wait too. */
  let overdue = 0;
  let wasReady: boolean | undefined;

  const client = createClient({
    url: url.href,
    // A queued command would run after its caller was told that it failed.
    disableOfflineQueue: true,
    pingInterval: PING_INTERVAL_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      // Needed because the default strategy never reconnects after a socket timeout.
      reconnectStrategy: (retries) =>
        Math.min(2 ** retries * 25, MAX_RECONNECT_DELAY_MS) * (0.5 + Math.random() / 2),
    },
  });

  const isReady = (): boolean => client.isReady && overdue === 0;
  const report = (error?: Error): void => {
    if (isReady() === wasReady) return;
    wasReady = isReady();
    if (!wasReady) return logger.warn({ cause: error?.message }, 'redis is away');
    logger.info({}, 'redis is ready');
    for (const listener of listeners) listener();
  };
  client.on('ready', report);
  client.on('error', report);

  async function send(command: string[]): Promise<unknown> {
    if (!isReady()) throw new RedisAwayError('redis is away', false);
    const reply = client.sendCommand(command);
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

  // `connect` retries, and rejects only on close; the `error` event reports each failed attempt.
  const connected = client.connect().catch(() => {});
  await Promise.race([connected, new Promise((resolve) => client.once('error', resolve))]);

  return {
    /** `away` while Redis is not connected or a reply is overdue. */
    get state(): 'ready' | 'away' {
      return isReady() ? 'ready' : 'away';
    },
    /**
     * Runs a Lua script on one key, atomically. Never waits for a connection, and never runs the script twice.
     *
     * @throws RedisAwayError when Redis is not connected, or does not reply in time
     * @throws ErrorReply when Redis refuses the script: out of memory, read only, no permission
     */
    async run(script: string, key: string, args: readonly string[]): Promise<unknown> {
      try {
        return await send(['EVALSHA', hash('sha1', script), '1', key, ...args]);
      } catch (error) {
        if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
        return send(['EVAL', script, '1', key, ...args]);
      }
    },
    /** Returns a section of `INFO`. Throws the errors of `run`. */
    info: async (section: string) => String(await send(['INFO', section])),
    /** Calls `listener` whenever Redis becomes ready, and at once if Redis is ready now. */
    onReady(listener: () => void): void {
      listeners.add(listener);
      if (isReady()) listener();
    },
    close: () => client.destroy(),
  };
}
