import type { CodegenConfig } from '@graphql-codegen/cli';

// Reads what `npm run build` has compiled: codegen's own loader cannot run TypeScript's decorators.
const config: CodegenConfig = {
  schema: './dist/graphql/schema.js',
  documents: 'src/client/*.graphql',
  generates: {
    'schema/schema.graphql': {
      plugins: ['schema-ast'],
      config: { includeDirectives: true, sort: true },
    },
    'schema/subgraph.graphql': {
      plugins: ['./dist/graphql/subgraph.plugin.js'],
    },
    'schema/introspection.json': {
      plugins: ['introspection'],
      config: { specifiedByUrl: true, minify: true },
    },
    'schema/study-api.openapi.json': {
      plugins: ['./dist/emulator/openapi.plugin.js'],
    },
    'schema/trusted-documents.json': {
      plugins: ['./src/graphql/trusted-documents.plugin.ts'],
    },
    'src/client/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        scalars: { UUID: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
        enumsAsTypes: true,
        strictScalars: true,
        useTypeImports: true,
      },
    },
    'src/react/generated/hooks.ts': {
      plugins: ['./src/react/hooks.plugin.ts'],
    },
  },
};

export default config;
