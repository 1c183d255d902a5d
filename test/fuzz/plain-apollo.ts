// Plain Apollo Server with the gateway's SDL: its resolvers make one REST call each and return the JSON of the answer.
// The baseline of the fuzzer for costs. Run by Node itself; shares no code with the gateway. Prints its URL.
import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { GraphQLError } from 'graphql';
import { GraphQLDateTime, GraphQLJSONObject, GraphQLUUID } from 'graphql-scalars';

interface Context {
  readonly authorization: string | undefined;
}

const studyApiUrl = process.env.STUDY_API_URL!;
const sdl = new URL('../../schema/schema.graphql', import.meta.url);

async function call(
  { authorization }: Context,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  if (authorization === undefined)
    throw new GraphQLError('Not authenticated', { extensions: { code: 'UNAUTHENTICATED' } });
  const response = await fetch(studyApiUrl + path, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new GraphQLError(`The Study API answered ${response.status}`);
  return response.json();
}

interface Arguments {
  readonly id: string;
  readonly input: unknown;
  readonly page?: number | null;
  readonly size?: number | null;
  readonly projectId?: readonly string[] | null;
}

function toQuery({ page, size, projectId }: Arguments): string {
  const query = new URLSearchParams((projectId ?? []).map((id) => ['project_id', id]));
  if (page) query.set('page', String(page));
  if (size) query.set('size', String(size));
  return String(query);
}

const server = new ApolloServer<Context>({
  typeDefs: readFileSync(sdl, 'utf8'),
  resolvers: {
    DateTime: GraphQLDateTime,
    JSONObject: GraphQLJSONObject,
    UUID: GraphQLUUID,
    Query: {
      study: (_, { id }: Arguments, context: Context) => call(context, 'GET', `/studies/${id}`),
      studies: (_, all: Arguments, context: Context) =>
        call(context, 'GET', `/studies?${toQuery(all)}`),
    },
    Mutation: {
      createStudy: (_, { input }: Arguments, context: Context) =>
        call(context, 'POST', '/studies', input),
      editStudy: (_, { id, input }: Arguments, context: Context) =>
        call(context, 'PATCH', `/studies/${id}`, input),
    },
  },
});

const { url } = await startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port: 0 },
  context: async ({ req }) => ({ authorization: req.headers.authorization }),
});
console.log(`ready at ${url}`);
