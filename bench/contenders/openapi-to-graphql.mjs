// openapi-to-graphql, served by Apollo Server: express-graphql, which its README uses, does not support graphql 16.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { port, studyApiUrl } from './environment.mjs';
import { toOpenApi30 } from './openapi-3.0.mjs';

// Loaded by `require`: openapi-to-graphql's ES modules import a name that `debug` does not export.
const { createGraphQLSchema } = createRequire(import.meta.url)('openapi-to-graphql');
const file = new URL('../../schema/study-api.openapi.json', import.meta.url);
const { schema } = await createGraphQLSchema(toOpenApi30(JSON.parse(readFileSync(file, 'utf8'))), {
  baseUrl: studyApiUrl,
  // Adds no token argument to the fields: `headers` below forwards the caller's token.
  viewer: false,
  // Keeps enum values as they are; without this option they become upper case.
  simpleEnumValues: true,
  headers: (_method, _path, _title, { context }) => ({ authorization: context.authorization }),
});

await startStandaloneServer(new ApolloServer({ schema }), {
  listen: { host: '127.0.0.1', port },
  context: async ({ req }) => ({ authorization: req.headers.authorization }),
});
