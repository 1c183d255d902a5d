import { ExponentialBackoff, handleResultType, retry } from 'cockatiel';
import {
  RestConnectionLostError,
  RestCutAnswerError,
  RestError,
  RestStatusError,
  RestUnreachableError,
} from './errors.js';
import type { JsonObject } from './rest-call.js';

const MAX_REPEATS = 2;
const FIRST_PAUSE_MS = 50;
/** Between two attempts. */
export const LONGEST_PAUSE_MS = 400;

/** A failure after which the call is made again. */
class Repeatable {
  constructor(readonly failure: RestError) {}
}

/** Random pauses, so that the calls that failed together do not come back together. */
const repeats = retry(handleResultType(Repeatable), {
  maxAttempts: MAX_REPEATS,
  backoff: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, maxDelay: LONGEST_PAUSE_MS }),
});

/**
 * Makes a call, and makes it again where that cannot do anything twice.
 *
 * @param attempt makes the call once
 * @param mayRepeat whether there is reason and time for another attempt
 * @throws RestError of the last attempt; of the last that was sent, if one was, as `NOT_SENT` would be untrue
 */
export async function callWithRepeats(
  attempt: () => Promise<JsonObject>,
  mayRepeat: () => boolean,
): Promise<JsonObject> {
  let sentFailure: RestError | undefined;
  const result = await repeats.execute(async () => {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      if (error.outcome !== 'NOT_SENT') sentFailure = error;
      if (isRepeatable(error) && mayRepeat()) return new Repeatable(error);
      throw sentFailure ?? error;
    }
  });
  if (result instanceof Repeatable) throw sentFailure ?? result.failure;
  return result;
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
