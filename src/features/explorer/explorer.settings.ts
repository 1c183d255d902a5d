import {
  createStudyExample,
  editStudyExample,
  listStudiesExample,
  placeholderId,
  readStudyExample,
  type Example,
} from '../../graphql/example.js';
import { scenariosExample, scenarioToken } from './example.scenarios.js';

/** A tab of GraphiQL, with the text of each of its editors. */
interface Tab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

/** What `start.js` of the explorer's page asks for. */
export interface ExplorerSettings {
  readonly token: string | undefined;
  /** Id in the examples that `start.js` replaces by the id of the newest study. */
  readonly placeholderId: string;
  readonly examples: readonly Tab[];
}

/** @param token bearer token to prefill; if `undefined`, a placeholder is shown and the scenarios are left out */
export function toSettings(token: string | undefined): ExplorerSettings {
  const headers = toHeaders(token ?? '<API_TOKEN>');
  const examples = [createStudyExample, editStudyExample, readStudyExample, listStudiesExample].map(
    (example) => toTab(example, headers),
  );
  if (token !== undefined) examples.push(toTab(scenariosExample, toHeaders(scenarioToken)));
  return { token, placeholderId, examples };
}

function toTab({ document, variables }: Example, headers: string): Tab {
  return { query: document.trimEnd(), variables: JSON.stringify(variables, null, 2), headers };
}

/** Returns the headers of a tab as JSON. `x-study-explain` requests `extensions.explain`. */
function toHeaders(token: string): string {
  return JSON.stringify({ authorization: `Bearer ${token}`, 'x-study-explain': '1' }, null, 2);
}
