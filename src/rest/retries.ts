import { setTimeout as sleep } from 'node:timers/promises';
import { RestError } from './errors.js';

const MAX_RETRIES = 2;
const SHORTEST_PAUSE_MS = 25;
/** Longest pause between two attempts; later pauses are longer. */
const LONGEST_PAUSE_MS = 225;
/** Part of the deadline that a retry needs, in ms: the pause, on a busy machine, and a connection. */
export const RETRY_RESERVE_MS = 400;

/** The retries of one call. */
export class Retries {
  readonly #mayRetry: () => boolean;
  #count = 0;
  #sentFailure: RestError | undefined;

  /** @param mayRetry whether there is reason and time for another attempt */
  constructor(mayRetry: () => boolean) {
    this.#mayRetry = mayRetry;
  }

  /**
   * Waits until the next attempt, where a retry cannot do anything twice.
   *
   * @param error the error of the latest attempt
   * @throws the error of the latest attempt that was sent, since `NOT_SENT` would be untrue; without one, `error`
   */
  async waitAfter(error: unknown): Promise<void> {
    if (!(error instanceof RestError)) throw error;
    if (error.outcome !== 'NOT_SENT') this.#sentFailure = error;
    if (this.#count === MAX_RETRIES || !error.is('repeated') || !this.#mayRetry())
      throw this.#sentFailure ?? error;
    await sleep(toPauseMs(this.#count++));
  }
}

/** Longer each time, and random, so that calls that failed together do not come back together. */
function toPauseMs(retries: number): number {
  const longest = Math.min(SHORTEST_PAUSE_MS * 3 ** (retries + 1), LONGEST_PAUSE_MS);
  return SHORTEST_PAUSE_MS + Math.random() * (longest - SHORTEST_PAUSE_MS);
}
