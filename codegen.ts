import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  // Node's own type stripping cannot run decorators.
  require: 'tsx',
  schema: './src/graphql/schema.ts',
  documents: 'client/*.graphql',
  generates: {
    'schema/schema.graphql': {
      plugins: ['schema-ast'],
      config: { includeDirectives: true, sort: true },
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
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        scalars: { UUID: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
        enumsAsTypes: true,
        strictScalars: true,
        useTypeImports: true,
      },
    },
    'client/react/hooks.ts': {
      plugins: ['./codegen/hooks.ts'],
    },
  },
};

export default config;
