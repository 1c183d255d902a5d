// Configuration of Hive Gateway for production: one process, JIT, no web pages.
import { defineConfig } from '@graphql-hive/gateway';

export const gatewayConfig = defineConfig({
  fork: 1,
  jit: true,
  graphiql: false,
  landingPage: false,
});
