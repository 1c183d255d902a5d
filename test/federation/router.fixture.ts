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

/** Somebody else's subgraph, which knows of a study its id only. */
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

/** As `rover supergraph compose` does it, from `schema/subgraph.graphql`. */
export function compose(studiesUrl: string, projectsUrl: string): CompositionResult {
  return composeServices([
    { name: 'studies', url: studiesUrl, typeDefs: parse(subgraphSdl) },
    { name: 'projects', url: projectsUrl, typeDefs: parse(projectsSdl) },
  ]);
}

export interface RouterOptions extends TestGatewayOptions {
  /** Of the one project that there is. */
  readonly studyIds?: readonly string[];
  /** Whether the router asks the subgraphs for their schemas, in place of a supergraph that was composed before. */
  readonly composesItself?: boolean;
}

export interface Router {
  /** Ours, as a subgraph. */
  readonly gateway: TestGateway;
  /** The operations that the router has sent to it. */
  readonly sent: readonly string[];
  /** Runs an operation at the router with the test's token; `headers` override. */
  readonly graphql: (
    query: string,
    variables?: object,
    headers?: Headers,
  ) => Promise<ExecutionResult<Record<string, unknown>>>;
}

/** Hive Gateway, in front of ours and of the subgraph `projects`, all of them over HTTP. */
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
