import { setTimeout as sleep } from 'node:timers/promises';
import { RestError } from './errors.js';

const MAX_RETRIES = 2;
const MIN_DELAY_MS = 25;
const MAX_DELAY_MS = 225;
/** Time reserved for a retry, in ms: for its delay, a late timer on a busy machine, and a new connection. */
export const RETRY_RESERVE_MS = 400;

/** Decides whether one call is retried, and waits before each retry. */
export class Retries {
  readonly #mayRetry: () => boolean;
  #count = 0;
  #sentFailure: RestError | undefined;

  /** @param mayRetry returns whether circuit and deadline allow another attempt */
  constructor(mayRetry: () => boolean) {
    this.#mayRetry = mayRetry;
  }

  /**
   * Waits for the next attempt if a retry is safe and allowed; throws otherwise.
   *
   * @param error the error of the latest attempt
   * @throws the error of the latest attempt that was sent, if any, because a later `NOT_SENT` would hide that attempt;
   *   otherwise `error`
   */
  async waitAfter(error: unknown): Promise<void> {
    if (!(error instanceof RestError)) throw error;
    if (error.outcome !== 'NOT_SENT') this.#sentFailure = error;
    if (this.#count === MAX_RETRIES || !error.is('repeated') || !this.#mayRetry())
      throw this.#sentFailure ?? error;
    await sleep(toDelayMs(this.#count++));
  }
}

/** Returns a delay by exponential backoff with jitter, so that calls that failed together do not retry together. */
function toDelayMs(retries: number): number {
  const longest = Math.min(MIN_DELAY_MS * 3 ** (retries + 1), MAX_DELAY_MS);
  return MIN_DELAY_MS + Math.random() * (longest - MIN_DELAY_MS);
}
