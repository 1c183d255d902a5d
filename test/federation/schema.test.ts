import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  introspectionFromSchema,
  lexicographicSortSchema,
  parse,
  printSchema,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { expect, it } from 'vitest';
import { refused, toVerdict } from '../support/refusals.js';
import { startTestGateway } from '../support/gateway.js';
import { compose, subgraphSdl } from './router.fixture.js';

const clientsSchema = buildSchema(
  readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'),
);

function print(schema: GraphQLSchema): string {
  return printSchema(lexicographicSortSchema(schema));
}

/** Returns the schema that introspection of a gateway shows. */
async function introspect(federation: boolean): Promise<GraphQLSchema> {
  const { graphql } = await startTestGateway({ federation });
  const { data } = await graphql<IntrospectionQuery>(
    getIntrospectionQuery({ specifiedByUrl: true }),
  );
  return buildClientSchema(data!);
}

it('has nothing of federation without FEDERATION', async () => {
  const { graphql } = await startTestGateway();

  expect(print(await introspect(false))).toBe(print(clientsSchema));
  for (const query of ['{ _service { sdl } }', '{ _entities(representations: []) { __typename } }'])
    expect(toVerdict(await graphql(query))).toEqual(refused('GRAPHQL_VALIDATION_FAILED', false));
});

it('has with FEDERATION the types that @apollo/subgraph would build', async () => {
  const own = ['Query', 'Mutation', 'Study', 'StudyPage', '_Any', '_Entity'];
  const toTypes = (schema: GraphQLSchema): object[] =>
    introspectionFromSchema(lexicographicSortSchema(schema), {
      descriptions: false,
    }).__schema.types.filter(({ name }) => own.includes(name));
  const reference = toTypes(buildSubgraphSchema(parse(subgraphSdl)));

  expect(reference).toHaveLength(own.length);
  expect(toTypes(await introspect(true))).toEqual(reference);
});

it('composes with another subgraph without errors or hints', () => {
  const { errors, hints, supergraphSdl } = compose('http://studies', 'http://projects');

  expect({ errors, hints }).toEqual({ errors: undefined, hints: [] });
  expect(supergraphSdl).toContain('@join__type(graph: STUDIES, key: "id")');
});
