import type { CodegenConfig } from '@graphql-codegen/cli';

// Reads what `npm run build` has compiled: codegen's own loader cannot run TypeScript's decorators.
const config: CodegenConfig = {
  schema: './dist/graphql/schema.js',
  generates: {
    'schema/schema.graphql': {
      plugins: ['schema-ast'],
      config: { includeDirectives: true, sort: true },
    },
    'schema/study-api.openapi.json': {
      plugins: ['./dist/emulator/openapi.plugin.js'],
    },
    'test/generated/operations.ts': {
      documents: 'test/operations/*.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        scalars: { UUID: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
        enumsAsTypes: true,
        strictScalars: true,
        useTypeImports: true,
      },
    },
  },
};

export default config;
