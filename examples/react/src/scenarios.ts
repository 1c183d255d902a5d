/** The tokens of the gateway's emulator, each with what the emulator does when it gets the token. */
export const scenarios: ReadonlyMap<string, string> = new Map([
  ['demo-token', 'answers every request'],
  ['', 'is never asked'],
  ['demo-401', 'says that the token has expired'],
  ['demo-403', 'says that the token may not do this'],
  ['demo-404', 'says that there is no such study'],
  ['demo-409', 'says that somebody else was faster'],
  ['demo-422', 'refuses a value'],
  ['demo-429', 'refuses requests for seven seconds'],
  ['demo-500', 'fails'],
  ['demo-503', 'has no capacity for thirty seconds'],
  ['demo-hang', 'never answers'],
  ['demo-cut', 'stores the study, then cuts the connection'],
  ['demo-running', 'stores the study, and runs its interviews'],
  ['demo-drift-missing', 'stores the study, then leaves a field out of its answer'],
  ['demo-drift-strategy', 'stores the study, then answers with a field of another type'],
]);
