// study-gateway's schema in SDL, for contenders that need a schema and resolvers. The custom scalars have graphql-js's
// default, which passes every value on and is the cheapest.
import { readFileSync } from 'node:fs';

export const typeDefs = readFileSync(
  new URL('../../schema/schema.graphql', import.meta.url),
  'utf8',
);
