import type { Logger } from 'pino';
import { toBanner } from './process/banner.js';
import type { Config } from './config/config.js';
import type { Emulator } from './emulator/emulator.js';
import { startGateway, type Gateway, type GatewayOptions } from './gateway.js';
import { openTogether } from './process/opened.js';
import { toStartupError } from './process/startup-error.js';

export interface Running {
  /** Text for the terminal of the person who started the program. */
  readonly banner: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts the emulator alone.
 *
 * @throws ConfigError when the address or the database file of the emulator cannot be used
 */
export async function startEmulatorProgram(config: Config, logger: Logger): Promise<Running> {
  const { url, token, close } = await openEmulator(config, logger);
  return { banner: `The Study API emulator is ready at ${url}, its token is ${token}.\n`, close };
}

/**
 * Starts the gateway, and also the emulator if no Study API is configured.
 *
 * @throws ConfigError when an address, or the database file of the emulator, cannot be used
 */
export function startGatewayProgram(config: Config, logger: Logger): Promise<Running> {
  return openTogether(async (open) => {
    const { rest, graphql } = config;
    const emulator = rest.baseUrl ? undefined : open(await openEmulator(config, logger));
    const baseUrl = rest.baseUrl ?? new URL(emulator!.url);
    const options = { ...config, rest: { ...rest, baseUrl }, logger, demoToken: emulator?.token };
    const gateway = open(await openGateway(options));
    return { banner: toBanner(gateway.url, baseUrl, graphql, emulator?.token) };
  });
}

async function openEmulator(
  { http: { host }, emulator }: Config,
  logger: Logger,
): Promise<Emulator> {
  const { startEmulator } = await import('./emulator/emulator.js');
  return startEmulator({ ...emulator, host, logger }).catch((error: unknown) => {
    throw toStartupError(error, 'EMULATOR_PORT', emulator.port, host);
  });
}

function openGateway(options: GatewayOptions): Promise<Gateway> {
  return startGateway(options).catch((error: unknown) => {
    const { host, port } = options.http;
    const { metricsPort } = options.telemetry;
    const isOfMetrics =
      metricsPort !== undefined &&
      error instanceof Error &&
      'port' in error &&
      error.port === metricsPort;
    throw isOfMetrics
      ? toStartupError(error, 'METRICS_PORT', metricsPort, host)
      : toStartupError(error, 'PORT', port, host);
  });
}
