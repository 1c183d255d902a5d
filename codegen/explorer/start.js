'use strict';

// The addresses of the editor's workers, by the labels under which the Monaco editor asks for them.
const workers = document.currentScript.dataset;

self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => new URL(workers[label], location.href).href,
};

// Keeps editors and token over a reload. Closing the browser's tab deletes them.
const storage = sessionStorage;
const tokenInput = document.querySelector('#token');

async function send(operation, headers) {
  const authorization = tokenInput.value && { authorization: `Bearer ${tokenInput.value}` };
  const response = await fetch('graphql', {
    method: 'POST',
    // The headers of a tab win.
    headers: { 'content-type': 'application/json', ...authorization, ...headers },
    body: JSON.stringify(operation),
  });
  return response.json();
}

/** Returns the function that sends operations, with the id of the newest study in place of the placeholder. */
function createFetcher({ placeholderId }) {
  return async (operation, { headers } = {}) => {
    if (operation.variables?.id !== placeholderId) return send(operation, headers);
    const newest = await send({ query: '{ studies(size: 1) { items { id } } }' }, headers);
    if (newest.errors) return newest;
    const id = newest.data.studies?.items?.[0]?.id;
    if (!id) return { errors: [{ message: 'There is no study yet: run CreateStudy first.' }] };
    return send({ ...operation, variables: { ...operation.variables, id } }, headers);
  };
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
  const settings = await (await fetch('explorer/settings.json')).json();
  const { examples } = settings;
  tokenInput.value = storage.getItem('token') ?? settings.token ?? '';
  tokenInput.addEventListener('input', () => storage.setItem('token', tokenInput.value));
  const stored = JSON.parse(storage.getItem('graphiql:tabState'));
  // Without these initial values, GraphiQL shows only the query of a tab, and opens the tab once more on a reload:
  // https://github.com/graphql/graphiql/issues/3392
  const { query, variables, headers } = stored?.tabs[stored.activeTabIndex] ?? examples[0];

  const root = document.querySelector('#root');
  unnestTabs(root);
  YogaGraphiQL.renderYogaGraphiQL(root, {
    title: 'study-gateway',
    logo: document.querySelector('template').innerHTML,
    fetcher: createFetcher(settings),
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
