// `npm run example`: starts the gateway, its emulator and this app, each on its own port. Ctrl-C ends all three.
import { pino } from 'pino';
import { build } from 'pino-pretty';
import { startEmulator } from 'study-gateway-emulator';
import { createServer } from 'vite';
import { readConfig } from '../../src/config/config.js';
import { startGateway } from '../../src/gateway.js';

try {
  const config = readConfig(process.env);
  const { host } = config.http;
  const logger = pino(
    { level: config.process.logLevel },
    build({ sync: true, ignore: 'pid,hostname' }),
  );

  // Always uses the emulator: the example must never write to a real Study API.
  const port = config.emulator.port ?? 0;
  const emulator = await startEmulator({ ...config.emulator, port, host, logger });
  const rest = { ...config.rest, baseUrl: new URL(emulator.url) };
  const gateway = await startGateway({ ...config, logger, rest, demoToken: emulator.token });

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
      void Promise.all([app.close(), gateway.close()])
        .then(() => emulator.close())
        .finally(() => process.exit());
    });

  process.stdout.write(`
  The example is ready.

  In a browser  ${app.resolvedUrls?.local[0]}
  GraphQL       ${gateway.url}/graphql
  Study API     ${emulator.url} (the emulator; its token is ${emulator.token})

  Ctrl-C ends all three.

`);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The example cannot start.\n${reason}\n`);
  process.exit(1);
}
