import type { Contract } from 'study-gateway-contract';
import {
  createStudyExample,
  editStudyExample,
  fitExample,
  listStudiesExample,
  placeholderId,
  readStudyExample,
  type Example,
} from '../../graphql/example.js';
import { toLacking } from '../../study/contract.js';

/**
 * Returns what `start.js` of the explorer's page asks for: `start.js` sends the id of the newest study in place of the
 * `placeholderId`.
 *
 * @param contract says which operations the Study API lacks: their examples say so in their first line
 * @param token bearer token to prefill; if `undefined`, the page asks for one, and the scenarios are left out
 */
export function toSettings(contract: Contract, token: string | undefined) {
  const examples = [createStudyExample, editStudyExample, readStudyExample, listStudiesExample].map(
    (example) => toTab(example, contract),
  );
  if (token !== undefined) examples.push(toTab(scenariosExample, contract, scenarioToken));
  return { token, placeholderId, examples };
}

/** Returns a tab of GraphiQL, with the text of each of its editors. */
function toTab(example: Example, contract: Contract, token?: string) {
  const { field, document, variables } = fitExample(example, contract);
  const note = contract.operations[field] === false ? `# ${toLacking(field)}\n` : '';
  // Requests `extensions.explain`.
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    'x-study-explain': '1',
  };
  return {
    query: note + document,
    variables: JSON.stringify(variables, null, 2),
    headers: JSON.stringify(headers, null, 2),
  };
}

/** Token in the headers of the example. Its error has most of the fields that `extensions` can have. */
const scenarioToken = 'demo-422';

/** An example that ends in a different way with each token of the emulator. Its lines fit a phone. */
export const scenariosExample: Example = {
  field: 'createStudy',
  document: `# Tokens for Headers:
# demo-401 token expired
# demo-403 not allowed
# demo-404 not found
# demo-409 a conflict
# demo-422 a value refused
# demo-429 retry in 7 s
# demo-500 an API error
# demo-503 retry in 30 s
# demo-hang no answer
# demo-cut answer lost
# demo-running it runs
# demo-drift-missing
#   a field is missing
# demo-drift-strategy
#   a field is broken

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
