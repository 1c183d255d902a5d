import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'node_modules/study-gateway-client/schema/codegen.graphql',
  documents: ['src/**/*.{ts,tsx}', '!src/gql/**'],
  generates: {
    'src/gql/': {
      preset: 'client',
      config: {
        scalars: {
          UUID: 'string',
          DateTime: 'string',
          JSONObject: 'Record<string, unknown>',
          StudyStrategy: 'study-gateway-client#StudyStrategy',
        },
        strictScalars: true,
        useTypeImports: true,
      },
    },
  },
};

export default config;
