import { pino, type Logger } from 'pino';
import { ConfigError, readConfig, type Config } from './config.js';

/** `engines` in package.json. */
const OLDEST_NODE = [22, 19] as const;

function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigError(
    `It needs Node ${OLDEST_NODE.join('.')} or later, and this is ${version}. ` +
      'npm start, or npx node dist/main.js, run the Node that npm ci has installed beside it.',
  );
}

async function createLogger({ logLevel, isProduction }: Config): Promise<Logger> {
  if (isProduction || !process.stdout.isTTY) return pino({ level: logLevel });
  const { build } = await import('pino-pretty');
  return pino({ level: logLevel }, build({ sync: true, ignore: 'pid,hostname' }));
}

async function main(): Promise<void> {
  checkNode(process.versions.node);
  const config = readConfig(process.env);
  const logger = await createLogger(config);

  const command = process.argv[2];
  if (command !== undefined && command !== 'emulator')
    throw new ConfigError(
      `"${command}" is no command: there is "emulator", or none for the gateway.`,
    );

  // Loaded only now: an old Node would fail on what it imports, with an error that helps nobody.
  const { startEmulatorProgram, startGatewayProgram } = await import('./programs.js');
  const { banner, stop } = await (command ? startEmulatorProgram : startGatewayProgram)(
    config,
    logger,
  );

  const end = async (exitCode: number): Promise<void> => {
    try {
      await stop();
      process.exit(exitCode);
    } catch (error) {
      logger.fatal({ err: error }, 'stopping failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      logger.info({ signal }, 'stopping');
      void end(0);
    });
  // A state that nobody foresaw: what is under way may end, and nothing new begins.
  process.once('uncaughtException', (error, origin) => {
    logger.fatal({ err: error }, origin);
    void end(1);
  });
  if (!config.isProduction) process.stdout.write(banner);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`study-gateway cannot start.\n${error.message}\n`);
  process.exitCode = 1;
}
