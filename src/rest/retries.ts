import { setTimeout as sleep } from 'node:timers/promises';
import {
  RestConnectionLostError,
  RestCutAnswerError,
  RestError,
  RestStatusError,
  RestUnreachableError,
} from './errors.js';

const MAX_RETRIES = 2;
const SHORTEST_PAUSE_MS = 25;
/** Between two attempts, the later ones longer. */
const LONGEST_PAUSE_MS = 225;
/** What has to be left of a deadline for another attempt: the pause, on a busy machine, and a connection. */
export const RETRY_RESERVE_MS = 400;

/** What follows the attempts of one call that have failed. */
export class Retries {
  readonly #mayRetry: () => boolean;
  #count = 0;
  #sentFailure: RestError | undefined;

  /** @param mayRetry whether there is reason and time for another attempt */
  constructor(mayRetry: () => boolean) {
    this.#mayRetry = mayRetry;
  }

  /**
   * Waits until a call may be made again, where that cannot do anything twice.
   *
   * @param error what the last attempt has failed with
   * @throws the last error; or, if one of the attempts was sent, that of the last of those: `NOT_SENT` would be untrue
   */
  async follow(error: unknown): Promise<void> {
    if (!(error instanceof RestError)) throw error;
    if (error.outcome !== 'NOT_SENT') this.#sentFailure = error;
    if (this.#count === MAX_RETRIES || !isRepeatable(error) || !this.#mayRetry())
      throw this.#sentFailure ?? error;
    await sleep(toPauseMs(this.#count++));
  }
}

/** Longer each time, and random, so that the calls that failed together do not come back together. */
function toPauseMs(repeats: number): number {
  const longest = Math.min(SHORTEST_PAUSE_MS * 3 ** (repeats + 1), LONGEST_PAUSE_MS);
  return SHORTEST_PAUSE_MS + Math.random() * (longest - SHORTEST_PAUSE_MS);
}

/**
 * A write only when no connection was made: nothing of it can have arrived. A read also when the connection
 * broke or something on the way says that the API is not there, as it does nothing that could be done twice.
 */
function isRepeatable(error: RestError): boolean {
  if (error instanceof RestUnreachableError) return true;
  if (error.method !== 'GET') return false;
  if (error instanceof RestStatusError) return [502, 503, 504].includes(error.status);
  return error instanceof RestConnectionLostError || error instanceof RestCutAnswerError;
}
