import {
  createStudyExample,
  editStudyExample,
  listStudiesExample,
  placeholderId,
  readStudyExample,
  type Example,
} from '../../graphql/example.js';
import { scenariosExample, scenarioToken } from './example.scenarios.js';

/** A tab of GraphiQL, each part as the text that its editor shows. */
interface Tab {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="24" height="24">
<rect width="32" height="32" rx="8" fill="#d60590"/>
<path d="M8 16h13M16 10l6 6-6 6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
</svg>`;

// Its addresses are relative, so that a proxy may put the gateway under a path.
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Explorer – study-gateway</title>
<link rel="icon" href="explorer/icon.svg">
<link rel="stylesheet" href="explorer/graphiql.css">
</head>
<body>
<noscript>The explorer needs JavaScript.</noscript>
<div id="root"></div>
<script src="explorer/graphiql.js"></script>
<script src="explorer/start.js"></script>
</body>
</html>
`;

/**
 * The script that starts GraphiQL with the examples.
 *
 * @param demoToken prefilled as the bearer; `undefined` leaves a placeholder, and the scenarios out
 */
export function toStartScript(demoToken: string | undefined): string {
  const headers = toHeaders(demoToken ?? '<API_TOKEN>');
  const tabs = [createStudyExample, editStudyExample, readStudyExample, listStudiesExample].map(
    (example) => toTab(example, headers),
  );
  if (demoToken !== undefined) tabs.push(toTab(scenariosExample, toHeaders(scenarioToken)));
  return `'use strict';

const examples = ${JSON.stringify(tabs, null, 2)};

self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => new URL('explorer/' + label + '.js', location.href).href,
};

async function fetcher(operation, { headers } = {}) {
  const response = await fetch('graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(operation),
  });
  return response.json();
}

/** Puts the id of the newest study into the examples, where there is one. */
async function nameNewestStudy(headers) {
  const query = encodeURIComponent('{ studies(size: 1) { items { id } } }');
  const init = { headers: { ...headers, 'apollo-require-preflight': '1' } };
  const response = await fetch('graphql?query=' + query, init);
  const { data } = await response.json();
  const id = data?.studies?.items?.[0]?.id;
  if (id === undefined) return;
  for (const example of examples)
    example.variables = example.variables.replace('${placeholderId}', id);
}

async function start() {
  // A reload finds what was written, and the end of the browser's tab forgets it, the token as well.
  const storage = sessionStorage;
  const stored = JSON.parse(storage.getItem('graphiql:tabState'));
  const token = ${JSON.stringify(demoToken ?? null)};
  if (!stored && token)
    await nameNewestStudy({ authorization: 'Bearer ' + token }).catch(() => undefined);
  const { tabs, activeTabIndex } = stored ?? { tabs: examples, activeTabIndex: 0 };
  // Without these it shows the query only, and opens the same tab again on a reload:
  // https://github.com/graphql/graphiql/issues/3392
  const { query, variables, headers } = tabs[activeTabIndex];

  YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), {
    title: 'study-gateway',
    logo: ${JSON.stringify(icon)},
    fetcher,
    storage,
    defaultTabs: examples,
    defaultHeaders: ${JSON.stringify(headers)},
    initialQuery: query,
    initialVariables: variables,
    initialHeaders: headers,
    // In place of its own, which copies every keystroke into the address bar.
    onEditQuery: () => undefined,
  });
}

void start();
`;
}

function toTab({ document, variables }: Example, headers: string): Tab {
  return { query: document.trimEnd(), variables: JSON.stringify(variables, null, 2), headers };
}

/** The second header asks for `extensions.explain`. */
function toHeaders(token: string): string {
  return JSON.stringify({ authorization: `Bearer ${token}`, 'x-study-explain': '1' }, null, 2);
}
