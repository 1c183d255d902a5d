import { createStudyExample, type Example } from '../../graphql/example.js';

/** The tokens of the emulator's scenarios. Features may not import the emulator, so a test compares the two lists. */
const scenarios = [
  ['demo-401', 'the token has expired'],
  ['demo-403', 'the token may not do this'],
  ['demo-404', 'there is no such study'],
  ['demo-409', 'somebody else has changed it'],
  ['demo-422', 'a value is refused'],
  ['demo-429', 'too many calls: retry after 7 s'],
  ['demo-500', 'the Study API fails'],
  ['demo-503', 'it is overloaded: retry after 30 s'],
  ['demo-hang', 'it never answers'],
  ['demo-cut', 'stored, and then no answer'],
  ['demo-drift-missing', 'stored, but a field is missing'],
  ['demo-drift-strategy', 'stored, but a field has another type'],
] as const;

/** Token in the headers of the example. Its error has most of the fields that `extensions` can have. */
export const scenarioToken = 'demo-422';

/** An example that fails in a different way with each bearer token. */
export const scenariosExample: Example = {
  document: `# Shows every failure, without breaking anything.
# Under Headers, replace ${scenarioToken} by one of these tokens:
#
${scenarios.map(([token, failure]) => `#   ${token.padEnd(20)} ${failure}\n`).join('')}#
# Look at code, outcome and retryable in the answer.
mutation Scenarios($input: CreateStudyInput!) {
  createStudy(input: $input) {
    id
    strategy
    audiences
  }
}
`,
  variables: createStudyExample.variables,
};
