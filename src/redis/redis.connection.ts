import { hash } from 'node:crypto';
import type { Logger } from '../logger.js';

/** A Lua script, which Redis runs as one atomic step. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

export function toScript(text: string): Script {
  return { text, sha1: hash('sha1', text) };
}

/** The connection to Redis is missing, or Redis has not answered in time. */
export class RedisAwayError extends Error {
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
export interface Redis {
  /** `away` without a connection, and while an answer is overdue. */
  readonly state: 'ready' | 'away';
  /**
   * Runs a script on one key. Never waits for a connection, and never runs the script twice.
   *
   * @throws RedisAwayError
   * @throws ErrorReply when Redis refuses: out of memory, read only, no permission
   */
  run(script: Script, key: string, args: readonly string[]): Promise<unknown>;
  /** Returns a section of `INFO`. Throws like `run`. */
  info(section: string): Promise<string>;
  /** Calls `listener` whenever Redis becomes ready, and at once if Redis is ready now. */
  onReady(listener: () => void): void;
  close(): void;
}

/** Longest time of an answer. Most take 1 ms. */
const ANSWER_MS = 500;
const CONNECT_MS = 2_000;
/** Silence after which a connection is given up. */
const SILENCE_MS = 3_000;
const PING_MS = 1_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Connects, and reconnects until closed. Returns after the first attempt, even a failed one: most of the gateway
 * needs no Redis.
 *
 * @param url may hold a password, which appears in no log and no error
 */
export async function connectRedis(url: URL, logger: Logger): Promise<Redis> {
  // Imported on demand: the package makes up a third of all modules.
  const { createClient, ErrorReply } = await import('@redis/client');
  const listeners = new Set<() => void>();
  /** Number of commands given up without an answer. Redis answers in order, so all later commands wait too. */
  let overdue = 0;
  let wasReady: boolean | undefined;

  const client = createClient({
    url: url.href,
    // A command must not run later: its caller has been told that it failed.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // The default strategy gives up for good after a socket timeout.
      reconnectStrategy: (retries) =>
        Math.min(2 ** retries * 25, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2),
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
      const error = new RedisAwayError(`no answer of redis within ${ANSWER_MS} ms`, true);
      overdue += 1;
      const settle = (): void => {
        overdue -= 1;
        report();
      };
      reply.then(settle, settle);
      timeout.reject(error);
      report(error);
    }, ANSWER_MS);
    try {
      return await Promise.race([reply, timeout.promise]);
    } catch (error) {
      // Redis refused the command, or the timer ended it.
      if (error instanceof ErrorReply || error instanceof RedisAwayError) throw error;
      throw new RedisAwayError('the connection to redis is lost', true, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  // Settles only on close; the listener for `error` has seen every error by then.
  const connected = client.connect().catch(() => {});
  await Promise.race([connected, new Promise((resolve) => client.once('error', resolve))]);

  return {
    get state() {
      return isReady() ? 'ready' : 'away';
    },
    async run({ text, sha1 }, key, args) {
      try {
        return await send(['EVALSHA', sha1, '1', key, ...args]);
      } catch (error) {
        if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
        return send(['EVAL', text, '1', key, ...args]);
      }
    },
    info: async (section) => String(await send(['INFO', section])),
    onReady(listener) {
      listeners.add(listener);
      if (isReady()) listener();
    },
    close: () => client.destroy(),
  };
}
