import { readFileSync } from 'node:fs';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { expect, it } from 'vitest';
import { requiredFields } from '../support/contract.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';

const file = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');

/** Returns the fields of all object types, such as `Study.id: ID!`, with their directives. */
function toFields(schema: GraphQLSchema) {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.values(type.getFields()).map((field) => ({
          text: `${type.name}.${field.name}: ${field.type.toString()}`,
          isNonNull: isNonNullType(field.type),
          isMarked: field.astNode?.directives?.some(({ name }) => name.value === 'semanticNonNull'),
        }))
      : [],
  );
}

function print(schema: GraphQLSchema): string {
  return printSchema(lexicographicSortSchema(schema));
}

async function fetchSdl(options: TestGatewayOptions) {
  const gateway = await startTestGateway(options);
  return { gateway, response: await fetch(`${gateway.url}/schema.graphql`) };
}

it.each([
  ['the schema', false],
  ['the subgraph', true],
])('equals, except for directives, the introspection of %s', async (_, federation) => {
  const { gateway, response } = await fetchSdl({ federation });

  const { data } = await gateway.graphql<IntrospectionQuery>(
    getIntrospectionQuery({ specifiedByUrl: true }),
  );

  const text = await response.text();
  const served = buildSchema(text);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text === file).toBe(!federation);
  expect(print(served)).toBe(print(buildClientSchema(data!)));
  expect(served.getType('_Entity') !== undefined).toBe(federation);
});

it.each([
  ['is off', { introspection: false }],
  ['is refused', { trustedDocuments: 'schema/trusted-documents.json' }],
])('is not served when introspection %s', async (_, options) => {
  const { response } = await fetchSdl(options);

  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
});

it('has no non-null field except the id of a study', () => {
  const fields = toFields(buildSchema(file));

  const nonNull = fields.filter(({ isNonNull }) => isNonNull);
  expect(nonNull.map(({ text }) => text)).toEqual(['Study.id: ID!']);
});

it('marks with @semanticNonNull the fields that are null only beside an error', () => {
  const fields = toFields(buildSchema(file));

  const marked = fields.filter(({ isMarked }) => isMarked);
  const required = requiredFields.filter((field) => field !== 'id');
  expect(marked.map(({ text }) => String(text.split(':')[0])).toSorted()).toEqual(
    [
      'Mutation.createStudy',
      'Mutation.editStudy',
      'Query.studies',
      'StudyPage.items',
      ...required.map((field) => `Study.${field}`),
    ].toSorted(),
  );
});
