// mercurius with its JIT, as https://mercurius.dev has it.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { port } from './environment.mjs';
import { typeDefs } from './schema.mjs';
import { createStudy } from './study-api.mjs';

const app = Fastify();
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: {
    Mutation: {
      createStudy: (_, { input }, { authorization }) => createStudy(input, authorization),
    },
  },
  context: ({ headers: { authorization } }) => ({ authorization }),
  // Compiles an operation at its first execution.
  jit: 1,
});
await app.listen({ host: '127.0.0.1', port });
