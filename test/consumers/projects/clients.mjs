// Each GraphQL client with each problem. Prints what the client reads of a study that it created, and what the error kit
// says of what the client throws or returns.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { Client as UrqlClient, fetchExchange } from '@urql/core';
import { print } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import Relay from 'relay-runtime';
import { CreateStudyDocument, safeWrites, StudyDocument, studyProblem } from 'study-gateway-client';
import introspection from 'study-gateway-client/introspection.json' with { type: 'json' };
import manifest from 'study-gateway-client/trusted-documents.json' with { type: 'json' };
import * as apollo4 from '@apollo/client';
import apollo3 from 'apollo-3/core/core.cjs';

const schema = fileURLToPath(import.meta.resolve('study-gateway-client/schema.graphql'));
if (!readFileSync(schema, 'utf8').includes('type Study ') || !introspection.__schema)
  throw new Error('A file of the package is not what it is called.');
if (!manifest.operations) throw new Error('The package has no trusted documents.');

const toHeaders = (token) => (token === '' ? {} : { authorization: `Bearer ${token}` });
const isRead = (document) => document === StudyDocument;

/** Apollo Client; where `errorPolicy` is `all`, a result holds the errors. */
const withApollo =
  ({ ApolloClient, HttpLink, InMemoryCache }, errorPolicy) =>
  (uri, token, document, variables) => {
    const link = new HttpLink({ uri, headers: toHeaders(token) });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    return isRead(document)
      ? client.query({ query: document, variables, errorPolicy })
      : client.mutate({ mutation: document, variables, errorPolicy });
  };

const withUrql = (url, token, document, variables) => {
  const client = new UrqlClient({
    url,
    exchanges: [fetchExchange],
    fetchOptions: { headers: toHeaders(token) },
    preferGetMethod: false,
  });
  return isRead(document)
    ? client.query(document, variables)
    : client.mutation(document, variables);
};

const request = (url, token, document, variables) =>
  new GraphQLClient(url, { headers: toHeaders(token) }).request(document, variables);

const withTanStackQuery = (...operation) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const run = () => request(...operation);
  return isRead(operation[2])
    ? client.fetchQuery({ queryKey: ['study'], queryFn: run })
    : new MutationObserver(client, { mutationFn: run }).mutate();
};

const post = async (url, token, query, variables) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...toHeaders(token) },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
};

/** Relay, with an artifact as its compiler writes for a query with `@catch`. */
const withRelay = (url, token, document, variables) => {
  const environment = new Relay.Environment({
    network: Relay.Network.create(({ text }, given) => post(url, token, text, given)),
    store: new Relay.Store(new Relay.RecordSource()),
  });
  const artifact = toArtifact(document, variables);
  if (isRead(document)) return Relay.fetchQuery(environment, artifact, variables).toPromise();
  return new Promise((resolve, reject) => {
    const onCompleted = (data, errors) => resolve({ data, errors });
    Relay.commitMutation(environment, {
      mutation: artifact,
      variables,
      onCompleted,
      onError: reject,
    });
  });
};

function toArtifact(document, variables) {
  const operationKind = isRead(document) ? 'query' : 'mutation';
  const name = isRead(document) ? 'study' : 'createStudy';
  const variablesOf = Object.keys(variables).map((variable) => ({
    kind: 'Variable',
    name: variable,
    variableName: variable,
  }));
  const id = { kind: 'ScalarField', name: 'id', alias: null, args: null, storageKey: null };
  const study = {
    kind: 'LinkedField',
    name,
    alias: null,
    args: variablesOf,
    concreteType: 'Study',
  };
  const selections = [{ ...study, plural: false, storageKey: null, selections: [id] }];
  const argumentDefinitions = Object.keys(variables).map((variable) => ({
    kind: 'LocalArgument',
    name: variable,
    defaultValue: null,
  }));
  const metadata = isRead(document) ? { catchTo: 'RESULT' } : {};
  const type = isRead(document) ? 'Query' : 'Mutation';
  const fragment = { kind: 'Fragment', name, type, argumentDefinitions, selections, metadata };
  const operation = { kind: 'Operation', name, argumentDefinitions, selections };
  const params = {
    text: print(document),
    operationKind,
    name,
    id: null,
    cacheID: name,
    metadata: {},
  };
  return { kind: 'Request', fragment, operation, params };
}

const clients = {
  'Apollo Client 3': withApollo(apollo3),
  'Apollo Client 3, all': withApollo(apollo3, 'all'),
  'Apollo Client 4': withApollo(apollo4),
  'Apollo Client 4, all': withApollo(apollo4, 'all'),
  Relay: withRelay,
  urql: withUrql,
  'TanStack Query': withTanStackQuery,
  'graphql-request': request,
  fetch: (url, token, document, variables) => post(url, token, print(document), variables),
};

const page = createServer((_, response) => {
  response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
});
await new Promise((resolve) => page.listen(0, '127.0.0.1', resolve));
const [, , gateway] = process.argv;
const proxy = `http://127.0.0.1:${page.address().port}/graphql`;

const create = [CreateStudyDocument, { input: { description: 'New' } }];
const unknownId = '00000000-0000-4000-8000-000000000000';
const problems = {
  'a refused value': [gateway, 'demo-token', CreateStudyDocument, { input: { projectId: 'X' } }],
  'a refused id': [gateway, 'demo-token', StudyDocument, { id: 'X' }],
  'no token': [gateway, '', ...create],
  ...Object.fromEntries(
    ['demo-422', 'demo-429', 'demo-500', 'demo-drift-missing', 'demo-drift-strategy'].map(
      (token) => [token, [gateway, token, ...create]],
    ),
  ),
  'a failed read': [gateway, 'demo-500', StudyDocument, { id: unknownId }],
  'a page of a proxy': [proxy, 'demo-token', ...create],
  'no gateway': ['http://127.0.0.1:1/graphql', 'demo-token', ...create],
};

/** What `studyProblem` says: its kind and code, whether a retry is safe, after how many seconds, and the fields. */
function describe(thrown, document) {
  const problem = studyProblem(thrown, isRead(document) ? 'query' : 'mutation');
  const { kind, code, retryable, retryAfterSeconds, fieldErrors } = problem;
  const fields = fieldErrors.map(({ path }) => path.join('.'));
  const wait = retryAfterSeconds === undefined ? [] : [`${retryAfterSeconds} s`];
  return [kind, code, ...(retryable ? ['retryable'] : []), ...wait, ...fields].join(' ');
}

/** Sends a create over the `fetch` of `safeWrites`, and loses the first answer. Returns how many keys and studies there were. */
async function loseAnswer(run) {
  const { fetch, Math } = globalThis;
  const [keys, ids] = [[], []];
  const losing = async (...request) => {
    const response = await fetch(...request);
    keys.push(JSON.parse(request[1].body).variables.idempotencyKey);
    ids.push((await response.clone().json()).data.createStudy.id);
    if (keys.length === 1) throw new TypeError('fetch failed');
    return response;
  };
  globalThis.window = { location: new URL(gateway) };
  globalThis.fetch = safeWrites({ fetch: losing, url: gateway }).fetch;
  Math.random = () => -0.99;
  await run(gateway, 'demo-token', ...create);
  globalThis.fetch = fetch;
  delete globalThis.window;
  return `${keys.length} calls, ${new Set(keys).size} key, ${new Set(ids).size} study`;
}

const table = {};
for (const [name, run] of Object.entries(clients)) {
  const created = await run(gateway, 'demo-token', ...create);
  const { id } = (created.data ?? created).createStudy;
  const read = await run(gateway, 'demo-token', StudyDocument, { id });
  const { study } = read.data ?? read.value ?? read;
  const row = { 'no problem': study.id === id };
  for (const [problem, operation] of Object.entries(problems)) {
    const failed = Promise.resolve(run(...operation));
    row[problem] = describe(await failed.catch((error) => error), operation[2]);
  }
  row['a lost answer'] = await loseAnswer(run);
  table[name] = row;
}
page.close();
console.log(JSON.stringify(table));
