// For the contenders that are given a schema and resolvers: our schema, in SDL. The custom scalars are left at
// graphql-js's default, which passes every value on: that is the cheapest.
import { readFileSync } from 'node:fs';

export const typeDefs = readFileSync(
  new URL('../../schema/schema.graphql', import.meta.url),
  'utf8',
);
