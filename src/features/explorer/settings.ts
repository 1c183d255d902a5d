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
 * @param token bearer token to prefill; if `undefined`, the page asks for one
 */
export function toSettings(contract: Contract, token: string | undefined) {
  const examples = [createStudyExample, editStudyExample, readStudyExample, listStudiesExample];
  return { token, placeholderId, examples: examples.map((example) => toTab(example, contract)) };
}

/** Returns a tab of GraphiQL, with the text of each of its editors. */
function toTab(example: Example, contract: Contract) {
  const { field, document, variables } = fitExample(example, contract);
  const note = contract.operations[field] === false ? `# ${toLacking(field)}\n` : '';
  return {
    query: note + document,
    variables: JSON.stringify(variables, null, 2),
    // Requests `extensions.explain`.
    headers: JSON.stringify({ 'x-study-explain': '1' }, null, 2),
  };
}
