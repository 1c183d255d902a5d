import { setTimeout as sleep } from 'node:timers/promises';
import {
  RestConnectionLostError,
  RestCutAnswerError,
  RestError,
  RestStatusError,
  RestUnreachableError,
} from './errors.js';
import type { JsonObject } from './rest-call.js';

const MAX_REPEATS = 2;
const SHORTEST_PAUSE_MS = 25;
/** Between two attempts, the later ones longer. */
const LONGEST_PAUSE_MS = 225;
/** What has to be left of a deadline for another attempt: the pause, on a busy machine, and a connection. */
export const REPEAT_RESERVE_MS = 400;

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
  for (let repeats = 0; ; repeats++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      if (error.outcome !== 'NOT_SENT') sentFailure = error;
      if (repeats === MAX_REPEATS || !isRepeatable(error) || !mayRepeat())
        throw sentFailure ?? error;
    }
    await sleep(toPauseMs(repeats));
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
