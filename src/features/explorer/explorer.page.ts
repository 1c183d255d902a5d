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

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="24" height="24">
<rect width="32" height="32" rx="8" fill="#d60590"/>
<path d="M8 16h13M16 10l6 6-6 6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
</svg>`;

/** Corrections of GraphiQL's own style. */
export const style = `
/* Keeps a tab in place at its first click, whose focus would restore a stale transform of GraphiQL's drag and drop. */
.graphiql-container .graphiql-tab { transform: none !important }

/* Contrast ratios of at least 4.5:1. */
.graphiql-container .graphiql-logo { color: hsl(var(--color-neutral)) }
.graphiql-container .monaco-editor .line-numbers { color: hsl(var(--color-neutral)) !important }
.graphiql-container .graphiql-response { background: hsl(var(--color-base)) }

/* Visible to screen readers only. */
.title { position: absolute; clip-path: inset(50%) }

/* Narrow windows: one column, which scrolls. */
@media (width < 700px) {
  .graphiql-container { height: 100dvh }
  .graphiql-container { --sidebar-width: 48px }
  .graphiql-container .graphiql-main { flex-direction: column }
  .graphiql-container .graphiql-plugin { flex: 0 1 45% !important }
  .graphiql-container .graphiql-sessions { margin: 0; min-height: 0; border-radius: 0 }
  .graphiql-container #graphiql-session { flex-direction: column; min-height: 0; overflow-y: auto }
  .graphiql-container :is(.graphiql-editors, .graphiql-response) { flex: 1 0 26rem !important }
  .graphiql-container :is(.graphiql-logo, .graphiql-horizontal-drag-bar) { display: none }
}
`;

/**
 * Returns the HTML of the explorer.
 *
 * @param addresses URLs of the page's files, by file name
 */
export function toPage(addresses: Readonly<Record<string, string>>): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Explorer – study-gateway</title>
<link rel="icon" href="${addresses['icon.svg']}">
<link rel="stylesheet" href="${addresses['graphiql.css']}">
<link rel="stylesheet" href="${addresses['style.css']}">
</head>
<body>
<noscript>The explorer needs JavaScript.</noscript>
<main>
<h1 class="title">Explorer</h1>
<div id="root"></div>
</main>
<script src="${addresses['graphiql.js']}"></script>
<script src="${addresses['start.js']}"></script>
</body>
</html>
`;
}

/**
 * Returns the script that starts GraphiQL with the examples.
 *
 * @param demoToken bearer token to prefill; if `undefined`, a placeholder is shown and the scenarios are left out
 * @param addresses URLs of the editor's workers, by the worker's label and `.js`
 */
export function toStartScript(
  demoToken: string | undefined,
  addresses: Readonly<Record<string, string>>,
): string {
  const headers = toHeaders(demoToken ?? '<API_TOKEN>');
  const tabs = [createStudyExample, editStudyExample, readStudyExample, listStudiesExample].map(
    (example) => toTab(example, headers),
  );
  if (demoToken !== undefined) tabs.push(toTab(scenariosExample, toHeaders(scenarioToken)));
  return `'use strict';

const examples = ${JSON.stringify(tabs, null, 2)};
const addresses = ${JSON.stringify(addresses, null, 2)};

self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => new URL(addresses[label + '.js'], location.href).href,
};

async function fetcher(operation, { headers } = {}) {
  const response = await fetch('graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(operation),
  });
  return response.json();
}

/** Returns what GraphiQL has stored of its tabs; undefined if there is nothing, or nothing that can be read. */
function readStored(storage) {
  try {
    const stored = JSON.parse(storage.getItem('graphiql:tabState'));
    return stored?.tabs[stored.activeTabIndex] && stored;
  } catch {}
}

/**
 * Puts the id of the newest study in place of the placeholder, in tabs whose variables are still those of an example.
 * Returns false if there is no such tab, or no study.
 */
async function nameNewestStudy(tabs, headers) {
  const unnamed = tabs.filter(
    (tab) =>
      tab.variables?.includes('${placeholderId}') &&
      examples.some(({ variables }) => variables === tab.variables),
  );
  if (unnamed.length === 0) return false;
  const query = encodeURIComponent('{ studies(size: 1) { items { id } } }');
  const init = { headers: { ...headers, 'apollo-require-preflight': '1' } };
  const response = await fetch('graphql?query=' + query, init);
  const { data } = await response.json();
  const id = data?.studies?.items?.[0]?.id;
  if (id === undefined) return false;
  for (const tab of unnamed) tab.variables = tab.variables.replace('${placeholderId}', id);
  return true;
}

async function start() {
  // Keeps the contents of the editors over a reload. Closing the browser's tab deletes them, including the token.
  const storage = sessionStorage;
  const stored = readStored(storage);
  const token = ${JSON.stringify(demoToken ?? null)};
  const { tabs, activeTabIndex } = stored ?? { tabs: examples, activeTabIndex: 0 };
  const isNamed =
    token &&
    (await nameNewestStudy(tabs, { authorization: 'Bearer ' + token }).catch(() => false));
  if (stored && isNamed) storage.setItem('graphiql:tabState', JSON.stringify(stored));
  // Without these initial values, GraphiQL shows only the query of a tab, and opens the tab once more on a reload:
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
    // Replaces the default handler, which copies every keystroke into the address bar.
    onEditQuery: () => undefined,
  });
}

void start();
`;
}

function toTab({ document, variables }: Example, headers: string): Tab {
  return { query: document.trimEnd(), variables: JSON.stringify(variables, null, 2), headers };
}

/** Returns the headers of a tab as JSON. `x-study-explain` requests `extensions.explain`. */
function toHeaders(token: string): string {
  return JSON.stringify({ authorization: `Bearer ${token}`, 'x-study-explain': '1' }, null, 2);
}
