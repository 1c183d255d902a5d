import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { composeServices, type CompositionResult } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse, type ExecutionResult } from 'graphql';
import { onTestFinished } from 'vitest';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { toPostInit, type Headers } from '../support/post.js';
import { createHive } from './hive.fixture.mjs';
import { listen } from '../support/listen.js';

export const subgraphSdl = readFileSync(
  new URL('../../schema/subgraph.graphql', import.meta.url),
  'utf8',
);

/** Schema of another subgraph, which knows only the ids of studies. */
const projectsSdl = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])

  type Query {
    project: Project
  }
  type Project @key(fields: "id") {
    id: ID!
    studies: [Study]!
  }
  type Study @key(fields: "id", resolvable: false) {
    id: ID!
  }
`;

/** Composes a supergraph from `schema/subgraph.graphql` and the other subgraph, as `rover supergraph compose` does. */
export function compose(studiesUrl: string, projectsUrl: string): CompositionResult {
  return composeServices([
    { name: 'studies', url: studiesUrl, typeDefs: parse(subgraphSdl) },
    { name: 'projects', url: projectsUrl, typeDefs: parse(projectsSdl) },
  ]);
}

export interface RouterOptions extends TestGatewayOptions {
  /** Ids of the studies of the only project. */
  readonly studyIds?: readonly string[];
  /** Whether the router itself fetches and composes the subgraphs' schemas. Default: it gets a composed supergraph. */
  readonly composesItself?: boolean;
}

export interface Router {
  /** The gateway, which is one of the subgraphs. */
  readonly gateway: TestGateway;
  /** The operations that the router has sent to the gateway. */
  readonly sent: readonly string[];
  /** Runs an operation at the router with the test's token; `headers` override the defaults. */
  readonly graphql: (
    query: string,
    variables?: object,
    headers?: Headers,
  ) => Promise<ExecutionResult<Record<string, unknown>>>;
}

/** Starts Hive Gateway as a router in front of our gateway and the subgraph `projects`, all over HTTP. */
export async function startRouter(options: RouterOptions = {}): Promise<Router> {
  const { studyIds = [], composesItself = false, ...gatewayOptions } = options;
  const gateway = await startTestGateway({ federation: true, ...gatewayOptions });
  const studiesUrl = `${gateway.url}/graphql`;
  const projectsUrl = await startProjects(studyIds);
  const sent: string[] = [];
  const services = [
    { name: 'studies', url: studiesUrl },
    { name: 'projects', url: projectsUrl },
  ];
  const hive = createHive(
    composesItself ? { type: 'dev', services } : compose(studiesUrl, projectsUrl).supergraphSdl!,
    (url, body) => {
      if (url === studiesUrl) sent.push(JSON.parse(body).query);
    },
  );
  onTestFinished(() => hive.dispose());
  const url = await listen(createServer(hive));
  return {
    gateway,
    sent,
    graphql: async (query, variables, headers) => {
      const response = await fetch(`${url}/graphql`, toPostInit({ query, variables }, headers));
      return (await response.json()) as ExecutionResult<Record<string, unknown>>;
    },
  };
}

async function startProjects(studyIds: readonly string[]): Promise<string> {
  const project = { id: '1', studies: studyIds.map((id) => ({ id })) };
  const schema = buildSubgraphSchema([
    { typeDefs: parse(projectsSdl), resolvers: { Query: { project: () => project } } },
  ]);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { query, variables } = JSON.parse(await text(request));
    const result = await graphql({ schema, source: query, variableValues: variables });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
  };
  return listen(createServer((request, response) => void answer(request, response)));
}
