import type { Contract } from 'study-gateway-contract';
import {
  createStudyExample,
  editStudyExample,
  listStudiesExample,
  placeholderId,
  readStudyExample,
  type Example,
} from '../../graphql/example.js';
import { toLacking } from '../../study/study.contract.js';

/**
 * Returns what `start.js` of the explorer's page asks for: `start.js` replaces the `placeholderId` in the examples by the
 * id of the newest study.
 *
 * @param contract says which operations the Study API lacks: their examples say so in their first line
 * @param token bearer token to prefill; if `undefined`, a placeholder is shown and the scenarios are left out
 */
export function toSettings(contract: Contract, token: string | undefined) {
  const headers = toHeaders(token ?? '<API_TOKEN>');
  const examples = [createStudyExample, editStudyExample, readStudyExample, listStudiesExample].map(
    (example) => toTab(example, headers, contract),
  );
  if (token !== undefined)
    examples.push(toTab(scenariosExample, toHeaders(scenarioToken), contract));
  return { token, placeholderId, examples };
}

/** Returns a tab of GraphiQL, with the text of each of its editors. */
function toTab({ field, document, variables }: Example, headers: string, contract: Contract) {
  const { operations, file } = contract;
  const note = operations[field] === false ? `# ${toLacking(field, file)}\n` : '';
  const query = note + document.trimEnd();
  return { query, variables: JSON.stringify(variables, null, 2), headers };
}

/** Returns the headers of a tab as JSON. `x-study-explain` requests `extensions.explain`. */
function toHeaders(token: string): string {
  return JSON.stringify({ authorization: `Bearer ${token}`, 'x-study-explain': '1' }, null, 2);
}

/** The tokens of the emulator's scenarios. Features may not import the emulator, so a test compares the two lists. */
const scenarios = [
  ['demo-401', 'the token has expired'],
  ['demo-403', 'the token is not allowed'],
  ['demo-404', 'nothing was found'],
  ['demo-409', 'there is a conflict'],
  ['demo-422', 'a value is refused'],
  ['demo-429', 'too many: retry in 7 s'],
  ['demo-500', 'the Study API fails'],
  ['demo-503', 'overloaded: retry in 30 s'],
  ['demo-hang', 'it never answers'],
  ['demo-cut', 'stored, then no answer'],
  ['demo-running', 'stored, its interviews run'],
  ['demo-drift-missing', 'stored, a field missing'],
  ['demo-drift-strategy', 'stored, a field broken'],
] as const;

/** Token in the headers of the example. Its error has most of the fields that `extensions` can have. */
const scenarioToken = 'demo-422';

/** An example that fails in a different way with each bearer token. */
export const scenariosExample: Example = {
  field: 'createStudy',
  document: `# Shows every failure, without breaking anything.
# Put one of these tokens under Headers:
${scenarios.map(([token, failure]) => `#   ${token.padEnd(20)} ${failure}\n`).join('')}#
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
