// study-gateway's schema in SDL, for contenders that need a schema and resolvers. Its custom scalars behave as
// graphql-js builds them from SDL: they pass every value on, which is cheapest.
import { readFileSync } from 'node:fs';

export const typeDefs = readFileSync(
  new URL('../../schema/schema.graphql', import.meta.url),
  'utf8',
);
