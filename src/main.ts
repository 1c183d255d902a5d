import { pino, type Logger } from 'pino';
import { build as createPrettyStream } from 'pino-pretty';
import { toBanner } from './banner.js';
import { ConfigError, readConfig, type Config } from './config.js';
import { startEmulator, type Emulator } from './emulator/emulator.js';
import { startGateway, type Gateway } from './http/gateway.js';
import { toStartupError } from './startup-error.js';

function createLogger({ logLevel, isProduction }: Config): Logger {
  const isForPeople = process.stdout.isTTY && !isProduction;
  return isForPeople
    ? pino({ level: logLevel }, createPrettyStream({ sync: true, ignore: 'pid,hostname' }))
    : pino({ level: logLevel });
}

async function runEmulator(config: Config, logger: Logger): Promise<Emulator> {
  const { host, emulatorPort: port, emulatorDatabase: database } = config;
  try {
    return await startEmulator({ host, port, database, logger });
  } catch (error) {
    throw toStartupError(error, 'EMULATOR_PORT', port, host);
  }
}

async function runGateway(
  config: Config,
  logger: Logger,
  studyApiUrl: URL,
  demoToken?: string,
): Promise<Gateway> {
  try {
    return await startGateway({ ...config, logger, studyApiUrl, demoToken });
  } catch (error) {
    throw toStartupError(error, 'PORT', config.port, config.host);
  }
}

/** Starts what `command` and the environment ask for. Returns how to stop it. */
async function run(config: Config, logger: Logger, command?: string): Promise<() => Promise<void>> {
  if (command === 'emulator') {
    const emulator = await runEmulator(config, logger);
    process.stdout.write(
      `The Study API emulator listens at ${emulator.url} (token: ${emulator.token}).\n`,
    );
    return () => emulator.close();
  }

  const emulator = config.studyApiUrl ? undefined : await runEmulator(config, logger);
  const studyApiUrl = config.studyApiUrl ?? new URL(emulator!.url);
  const gateway = await runGateway(config, logger, studyApiUrl, emulator?.token).catch(
    async (error: unknown) => {
      await emulator?.close();
      throw error;
    },
  );
  const where = { gatewayUrl: gateway.url, studyApiUrl: studyApiUrl.href };
  if (config.isProduction) logger.info(where, 'listening');
  else
    process.stdout.write(
      toBanner({ ...where, sandbox: config.sandbox, demoToken: emulator?.token }),
    );
  return async () => {
    await gateway.close();
    await emulator?.close();
  };
}

try {
  const config = readConfig(process.env);
  const logger = createLogger(config);
  const stop = await run(config, logger, process.argv[2]);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      logger.info({ signal }, 'stopping');
      stop().catch((error: unknown) => {
        logger.fatal({ err: error }, 'stopping failed');
        process.exitCode = 1;
      });
    });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`study-gateway cannot start.\n${error.message}\n`);
  process.exitCode = 1;
}
