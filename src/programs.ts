import type { Logger } from 'pino';
import { toBanner } from './process/banner.js';
import type { Config } from './config/config.js';
import type { Emulator } from './emulator/emulator.js';
import { startGateway, type Gateway } from './gateway.js';
import { openTogether } from './process/opened.js';
import type { probe, ProbeExit } from './probe/probe.js';
import { toStartupError } from './process/startup-error.js';

/** A program that runs until it is stopped. */
export interface Running {
  /** For the person who started it. */
  readonly banner: string;
  readonly stop: () => Promise<void>;
}

/** The emulator alone. @throws ConfigError when its address or its file cannot be had */
export async function startEmulatorProgram(config: Config, logger: Logger): Promise<Running> {
  const { url, token, close } = await openEmulator(config, logger);
  return {
    banner: `The Study API emulator is ready at ${url}, its token is ${token}.\n`,
    stop: close,
  };
}

/** The gateway, and the emulator beside it where no Study API is configured. @throws ConfigError likewise */
export async function startGatewayProgram(config: Config, logger: Logger): Promise<Running> {
  const { banner, close } = await openTogether(async (open) => {
    const emulator = config.studyApiUrl ? undefined : open(await openEmulator(config, logger));
    const studyApiUrl = config.studyApiUrl ?? new URL(emulator!.url);
    const gateway = open(await openGateway(config, logger, studyApiUrl, emulator?.token));
    return { banner: toBanner(gateway.url, studyApiUrl, config, emulator?.token) };
  });
  return { banner, stop: close };
}

/** The probe, which ends by itself. @throws ConfigError when arguments or environment do not fit */
export async function runProbe(...options: Parameters<typeof probe>): Promise<ProbeExit> {
  const { probe } = await import('./probe/probe.js');
  return probe(...options);
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
