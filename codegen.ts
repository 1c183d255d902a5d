import type { CodegenConfig } from '@graphql-codegen/cli';

const served = { schema: './src/graphql/schema.ts' };
const forClient = { schema: './codegen/client-schema.ts' };

const toFile = (content: string) => ({
  ...served,
  plugins: ['./codegen/files.ts'],
  config: { content },
});

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
    'schema/schema.graphql': toFile('sdl'),
    'schema/subgraph.graphql': toFile('subgraph'),
    'schema/codegen.graphql': toFile('codegen'),
    'schema/study-api.openapi.json': toFile('openapi'),
    'schema/introspection.json': {
      ...served,
      plugins: ['introspection'],
      config: { specifiedByUrl: true, minify: true },
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
  },
};

export default config;
