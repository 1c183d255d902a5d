import type { Logger } from 'pino';
import { toBanner } from './process/banner.js';
import { ConfigError, type Config } from './config/config.js';
import type { Emulator } from './emulator/emulator.js';
import { startGateway, type Gateway } from './gateway.js';
import { openTogether } from './process/opened.js';
import { toStartupError, tryToListen } from './process/startup-error.js';

/** A running program. */
export interface Running {
  /** Text for the terminal of the person who started the program. */
  readonly banner: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the emulator alone.
 *
 * @throws ConfigError when the address or the database file of the emulator cannot be used
 */
export async function startEmulatorProgram(config: Config, logger: Logger): Promise<Running> {
  const { url, token, close } = await openEmulator(config, logger);
  return {
    banner: `The Study API emulator is ready at ${url}, its token is ${token}.\n`,
    stop: close,
  };
}

/**
 * Starts the gateway, and also the emulator if no Study API is configured.
 *
 * @throws ConfigError when an address, or the database file of the emulator, cannot be used
 */
export async function startGatewayProgram(config: Config, logger: Logger): Promise<Running> {
  const { banner, close } = await openTogether(async (open) => {
    const emulator = config.studyApiUrl
      ? undefined
      : open(await openEmulator(config, logger).catch((error) => failWithPort(error, config)));
    const studyApiUrl = config.studyApiUrl ?? new URL(emulator!.url);
    const gateway = open(await openGateway(config, logger, studyApiUrl, emulator?.token));
    return { banner: toBanner(gateway.url, studyApiUrl, config, emulator?.token) };
  });
  return { banner, stop: close };
}

async function openEmulator(config: Config, logger: Logger): Promise<Emulator> {
  const { startEmulator } = await import('./emulator/emulator.js');
  const { host, emulatorPort: port, emulatorDb: database } = config;
  try {
    return await startEmulator({ host, port, database, logger });
  } catch (error) {
    throw toStartupError(error, 'EMULATOR_PORT', port, host);
  }
}

/** Throws the `error` of the emulator. If the gateway's own port is not free either, the thrown error names both ports. */
async function failWithPort(error: unknown, { host, port, reusePort }: Config): Promise<never> {
  const own = toStartupError(await tryToListen({ host, port, reusePort }), 'PORT', port, host);
  if (error instanceof ConfigError && own instanceof ConfigError && own.message !== error.message)
    throw new ConfigError(`${own.message}\n${error.message}`);
  throw error;
}

async function openGateway(
  config: Config,
  logger: Logger,
  studyApiUrl: URL,
  demoToken?: string,
): Promise<Gateway> {
  try {
    return await startGateway({ ...config, logger, studyApiUrl, demoToken });
  } catch (error) {
    const { metricsPort, host } = config;
    const isOfMetrics = error instanceof Error && 'port' in error && error.port === metricsPort;
    if (isOfMetrics && metricsPort !== undefined)
      throw toStartupError(error, 'METRICS_PORT', metricsPort, host);
    throw toStartupError(error, 'PORT', config.port, host);
  }
}
