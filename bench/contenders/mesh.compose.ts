// Configuration of `mesh-compose`: a supergraph with one subgraph, generated from the Study API's OpenAPI document.
import { defineConfig } from '@graphql-mesh/compose-cli';
import { loadOpenAPISubgraph } from '@omnigraph/openapi';

export const composeConfig = defineConfig({
  subgraphs: [
    {
      sourceHandler: loadOpenAPISubgraph('Study', {
        source: '../schema/study-api.openapi.json',
        endpoint: process.env.STUDY_API_URL,
        operationHeaders: { authorization: '{context.headers.authorization}' },
      }),
    },
  ],
});
