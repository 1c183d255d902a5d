import type { CodegenConfig } from '@graphql-codegen/cli';

const served = { schema: './src/graphql/schema.ts' };
const forClient = { schema: './codegen/client-schema.ts' };

const operations = {
  scalars: {
    UUID: 'string',
    DateTime: 'string',
    JSONObject: 'Record<string, unknown>',
    StudyStrategy: 'StudyStrategy',
  },
  strictScalars: true,
  useTypeImports: true,
};

const config: CodegenConfig = {
  // Node's own type stripping cannot run decorators.
  require: 'tsx',
  documents: 'packages/client/src/*.graphql',
  generates: {
    'schema/schema.graphql': {
      ...served,
      plugins: ['./codegen/schema.ts'],
    },
    'schema/subgraph.graphql': {
      ...served,
      plugins: ['./codegen/subgraph.ts'],
    },
    'schema/introspection.json': {
      ...served,
      plugins: ['introspection'],
      config: { specifiedByUrl: true, minify: true },
    },
    'schema/study-api.openapi.json': {
      ...served,
      plugins: ['./codegen/openapi.ts'],
    },
    'schema/trusted-documents.json': {
      ...served,
      plugins: ['./codegen/trusted-documents.ts'],
    },
    'packages/client/src/generated/operations.ts': {
      ...forClient,
      plugins: ['./codegen/strategies.ts', 'typescript-operations', './codegen/documents.ts'],
      config: operations,
    },
    'packages/client/src/generated/hooks.ts': {
      ...forClient,
      plugins: ['./codegen/hooks.ts'],
    },
    'schema/codegen.graphql': {
      ...forClient,
      plugins: ['./codegen/codegen-schema.ts'],
    },
  },
};

export default config;
