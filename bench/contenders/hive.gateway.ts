// Hive Gateway's configuration, for production: one process, no page, its JIT.
import { defineConfig } from '@graphql-hive/gateway';

export const gatewayConfig = defineConfig({
  fork: 1,
  jit: true,
  graphiql: false,
  landingPage: false,
});
