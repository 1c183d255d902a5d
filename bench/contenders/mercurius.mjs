// mercurius with its JIT, set up as in https://mercurius.dev.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { port } from './environment.mjs';
import { typeDefs } from './schema.mjs';
import { resolvers } from './study-api.mjs';

const app = Fastify();
await app.register(mercurius, {
  schema: typeDefs,
  resolvers,
  context: ({ headers: { authorization } }) => ({ authorization }),
  // Compiles an operation when it first runs.
  jit: 1,
});
await app.listen({ host: '127.0.0.1', port });
