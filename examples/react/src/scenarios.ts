/** The tokens of the gateway's emulator, each with what the emulator does when it gets the token. */
export const scenarios: ReadonlyMap<string, string> = new Map([
  ['demo-token', 'it does what it is asked to do'],
  ['demo-401', 'it says that the token has expired (401)'],
  ['demo-403', 'it says that the token may not do this (403)'],
  ['demo-404', 'it says that there is no such study (404)'],
  ['demo-409', 'it says that somebody else was faster (409)'],
  ['demo-422', 'it refuses a value (422)'],
  ['demo-429', 'it has had too many calls, for seven seconds (429)'],
  ['demo-500', 'it fails (500)'],
  ['demo-503', 'it has no capacity, for thirty seconds (503)'],
  ['demo-hang', 'it never answers'],
  ['demo-cut', 'it stores the study, then cuts the connection'],
  ['demo-running', 'it stores the study, and runs its interviews'],
  ['demo-drift-missing', 'it stores the study, and leaves a field out of its answer'],
  ['demo-drift-strategy', 'it stores the study, and answers with a field of another type'],
]);
