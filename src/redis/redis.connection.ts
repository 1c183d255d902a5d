import { hash } from 'node:crypto';
import type { Logger } from '../logger.js';

/** A Lua script, which Redis runs whole and with nothing in between. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

export function toScript(text: string): Script {
  return { text, sha1: hash('sha1', text) };
}

/** There is no connection, or Redis has not answered in time. */
export class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError';

  constructor(
    message: string,
    /** Whether Redis may have run the command all the same. */
    readonly mayHaveRun: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** One connection to Redis or Valkey, for all that is shared between gateways. */
export interface Redis {
  /** `away` without a connection, and while a command waits for its answer for too long. */
  readonly state: 'ready' | 'away';
  /**
   * Runs a script on one key. Never waits for a connection, and never runs it twice.
   *
   * @throws RedisAwayError
   * @throws ErrorReply what Redis says against it: out of memory, read only, no permission
   */
  run(script: Script, key: string, args: readonly string[]): Promise<unknown>;
  /** The section of `INFO`. Throws like `run`. */
  info(section: string): Promise<string>;
  /** Calls back whenever Redis is there again, and at once if it is there now. */
  onReady(listener: () => void): void;
  close(): void;
}

/** An answer takes a millisecond; what takes longer than this is not going to come. */
const ANSWER_MS = 500;
const CONNECT_MS = 2_000;
/** A connection on which nothing comes back for so long is given up. */
const SILENCE_MS = 3_000;
const PING_MS = 1_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Connects, and goes on trying for as long as it is open. Returns after the first attempt, whichever way it ends:
 * the gateway has much to do that needs no Redis.
 *
 * @param url may hold a password; it is in no log and no error
 */
export async function connectRedis(url: URL, logger: Logger): Promise<Redis> {
  // Not before somebody needs it: it is a third of all modules.
  const { createClient, ErrorReply } = await import('@redis/client');
  const listeners = new Set<() => void>();
  /** Commands that were given up and may yet be answered. Redis answers in order, so all behind them wait too. */
  let overdue = 0;
  let wasReady: boolean | undefined;

  const client = createClient({
    url: url.href,
    // What cannot be done now is not to be done later: the caller has been told no.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // The default gives up for good after a silence.
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
      // Redis itself has said no, or the timer has.
      if (error instanceof ErrorReply || error instanceof RedisAwayError) throw error;
      throw new RedisAwayError('the connection to redis is lost', true, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  // Settles only when it is closed, and has told its errors to the listener by then.
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
