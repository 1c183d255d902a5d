'use strict';

// The addresses of the editor's workers, by the labels under which the Monaco editor asks for them.
const workers = document.currentScript.dataset;

self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => new URL(workers[label], location.href).href,
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
  } catch {
    return undefined;
  }
}

/**
 * Puts the id of the newest study in place of the placeholder, in tabs whose variables are still those of an example.
 * Returns false if there is no such tab, or no study.
 */
async function nameNewestStudy(tabs, { examples, placeholderId, token }) {
  const unnamed = tabs.filter(
    (tab) =>
      tab.variables?.includes(placeholderId) &&
      examples.some(({ variables }) => variables === tab.variables),
  );
  if (unnamed.length === 0) return false;
  const query = encodeURIComponent('{ studies(size: 1) { items { id } } }');
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`graphql?query=${query}`, { headers });
  const { data } = await response.json();
  const id = data?.studies?.items?.[0]?.id;
  if (id === undefined) return false;
  for (const tab of unnamed) tab.variables = tab.variables.replace(placeholderId, id);
  return true;
}

/**
 * Makes a list of buttons of GraphiQL's tabs, also of those that are opened later. GraphiQL nests the button that closes
 * a tab in an element with the role `tab`, where screen readers do not find the button.
 */
function unnestTabs(root) {
  const unnest = () => {
    root.querySelector('[role=tablist]')?.removeAttribute('role');
    for (const tab of root.querySelectorAll('.graphiql-tab[aria-selected]')) {
      tab.querySelector('button').ariaCurrent = tab.ariaSelected;
      if (tab.ariaSelected === 'true') tab.scrollIntoView({ block: 'nearest' });
      tab.removeAttribute('role');
      tab.removeAttribute('aria-selected');
    }
  };
  const changes = { subtree: true, childList: true, attributeFilter: ['aria-selected'] };
  new MutationObserver(unnest).observe(root, changes);
}

async function start() {
  // Keeps the contents of the editors over a reload. Closing the browser's tab deletes them, including the token.
  const storage = sessionStorage;
  const stored = readStored(storage);
  const settings = await (await fetch('explorer/settings.json')).json();
  const { examples } = settings;
  const { tabs, activeTabIndex } = stored ?? { tabs: examples, activeTabIndex: 0 };
  const isNamed = settings.token && (await nameNewestStudy(tabs, settings).catch(() => false));
  if (stored && isNamed) storage.setItem('graphiql:tabState', JSON.stringify(stored));
  // Without these initial values, GraphiQL shows only the query of a tab, and opens the tab once more on a reload:
  // https://github.com/graphql/graphiql/issues/3392
  const { query, variables, headers } = tabs[activeTabIndex];

  const root = document.querySelector('#root');
  unnestTabs(root);
  YogaGraphiQL.renderYogaGraphiQL(root, {
    title: 'study-gateway',
    logo: document.querySelector('template').innerHTML,
    fetcher,
    storage,
    defaultTabs: examples,
    defaultHeaders: examples[0].headers,
    initialQuery: query,
    initialVariables: variables,
    initialHeaders: headers,
    // Replaces the default handler, which copies every keystroke into the address bar.
    onEditQuery: () => undefined,
  });
}

void start();
