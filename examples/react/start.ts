// `npm run example`: starts the gateway, its emulator and this app, each on its own port. Ctrl-C ends all three.
import { pino } from 'pino';
import { build } from 'pino-pretty';
import { createServer } from 'vite';
import { readConfig } from '../../src/config/config.js';
import { startGatewayProgram } from '../../src/start.js';

const config = readConfig(process.env);
const { logLevel: level } = config.process;
const logger = pino({ level }, build({ sync: true, ignore: 'pid,hostname' }));
// Always uses the emulator: the example must never write to a real Study API.
const rest = { ...config.rest, baseUrl: undefined };
const gateway = await startGatewayProgram({ ...config, rest }, logger);

process.env['VITE_GATEWAY_URL'] = `${gateway.url}/graphql`;
const app = await createServer({
  root: import.meta.dirname,
  logLevel: 'warn',
  server: {
    port: Number(process.env['EXAMPLE_PORT'] ?? 5173),
    strictPort: true,
    // Lets Vite serve `packages/client/dist`, which the app imports as `study-gateway-client`.
    fs: { allow: ['../..'] },
  },
});
await app.listen();

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    void Promise.all([app.close(), gateway.close()]).finally(() => process.exit());
  });

process.stdout.write(
  `${gateway.banner}  In a browser  ${app.resolvedUrls?.local[0]}\n\n  Ctrl-C ends all three.\n\n`,
);
