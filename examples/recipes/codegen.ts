import type { CodegenConfig } from '@graphql-codegen/cli';

const types = {
  scalars: { UUID: 'string', DateTime: 'string', JSONObject: 'Record<string, unknown>' },
  strictScalars: true,
  useTypeImports: true,
};

const config: CodegenConfig = {
  schema: 'node_modules/study-gateway-client/schema/schema.graphql',
  documents: ['src/**/*.{ts,tsx}', '!src/gql*/**'],
  generates: {
    // Nullable types, for clients that show data together with errors.
    'src/gql/': { preset: 'client', config: types },
    // Strict types, for clients that throw on errors.
    'src/gql-strict/': {
      preset: 'client',
      config: { ...types, nullability: { errorHandlingClient: true } },
    },
  },
};

export default config;
