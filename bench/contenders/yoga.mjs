// graphql-yoga, set up as in https://the-guild.dev/graphql/yoga-server/docs.
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { port } from './environment.mjs';
import { typeDefs } from './schema.mjs';
import { createStudy } from './study-api.mjs';

const yoga = createYoga({
  graphiql: false,
  landingPage: false,
  schema: createSchema({
    typeDefs,
    resolvers: {
      Mutation: {
        createStudy: (_, { input }, { request }) =>
          createStudy(input, request.headers.get('authorization')),
      },
    },
  }),
});

createServer((request, response) => void yoga(request, response)).listen(port, '127.0.0.1');
