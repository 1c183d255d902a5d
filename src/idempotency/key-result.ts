/**
 * What the key of a call came to:
 * - `made`: the key was new, and the call was made.
 * - `repeated`: the first call with the key has ended, and its end is told again.
 * - `joined`: a call of this process with the key was under way, and both end alike.
 * - `reused`: the key was used with other arguments.
 * - `unsettled`: the end of the first call with the key is not known.
 * - `refused`: the key cannot be held now.
 */
export const keyResults = ['made', 'repeated', 'joined', 'reused', 'unsettled', 'refused'] as const;

export type KeyResult = (typeof keyResults)[number];
