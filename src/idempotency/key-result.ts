/**
 * Result of a call with an idempotency key:
 * - `made`: the key was new, and the call was made.
 * - `repeated`: the first call with the key had ended, and its stored result was returned.
 * - `joined`: the first call was under way in this process, and its result was shared.
 * - `reused`: refused, because the key had been used with other arguments.
 * - `unsettled`: failed, because the result of the first call is not known.
 * - `refused`: refused, because the store could not be reached or was full.
 */
export const keyResults = ['made', 'repeated', 'joined', 'reused', 'unsettled', 'refused'] as const;

export type KeyResult = (typeof keyResults)[number];
