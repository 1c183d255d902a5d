import type { CodegenConfig } from '@graphql-codegen/cli';

const operations = {
  scalars: { UUID: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
  enumsAsTypes: true,
  strictScalars: true,
  useTypeImports: true,
};

const config: CodegenConfig = {
  // Node's own type stripping cannot run decorators.
  require: 'tsx',
  schema: './src/graphql/schema.ts',
  documents: 'client/*.graphql',
  generates: {
    'schema/schema.graphql': {
      plugins: ['./codegen/schema.ts'],
    },
    'schema/subgraph.graphql': {
      plugins: ['./codegen/subgraph.ts'],
    },
    'schema/introspection.json': {
      plugins: ['introspection'],
      config: { specifiedByUrl: true, minify: true },
    },
    'schema/study-api.openapi.json': {
      plugins: ['./codegen/openapi.ts'],
    },
    'schema/trusted-documents.json': {
      plugins: ['./codegen/trusted-documents.ts'],
    },
    'client/generated/operations.ts': {
      plugins: ['typescript-operations', './codegen/documents.ts'],
      config: operations,
    },
    'client/generated/strict-operations.ts': {
      plugins: ['typescript-operations'],
      config: {
        ...operations,
        nullability: { errorHandlingClient: true },
        importSchemaTypesFrom: 'client/generated/operations.ts',
        namespacedImportName: 'Types',
        importExtension: '.js',
      },
    },
    'client/react/hooks.ts': {
      plugins: ['./codegen/hooks.ts'],
    },
  },
};

export default config;
