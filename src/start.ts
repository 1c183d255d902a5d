import type { Logger } from 'pino';
import type { Emulator } from 'study-gateway-emulator';
import { toBanner } from './process/banner.js';
import { ConfigError, type Config } from './config/config.js';
import { startGateway, type Additions, type Gateway, type GatewayOptions } from './gateway.js';
import { openTogether } from './process/resources.js';

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
export function startGatewayProgram(
  config: Config,
  logger: Logger,
  additions?: Additions,
): Promise<Running & Gateway> {
  return openTogether(async (open) => {
    const { rest, graphql } = config;
    const emulator = rest.baseUrl ? undefined : open(await openEmulator(config, logger));
    const baseUrl = rest.baseUrl ?? new URL(emulator!.url);
    const options = { ...config, rest: { ...rest, baseUrl }, logger, demoToken: emulator?.token };
    const { url, metricsUrl } = open(await openGateway(options, additions));
    return {
      url,
      metricsUrl,
      banner: toBanner(url, baseUrl, graphql, rest.contract, emulator?.token),
    };
  });
}

async function openEmulator(
  { http: { host }, emulator }: Config,
  logger: Logger,
): Promise<Emulator> {
  const { startEmulator } = await import('study-gateway-emulator');
  return startEmulator({ ...emulator, host, logger }).catch((error: unknown) => {
    throw toStartupError(error, 'HOST or EMULATOR_PORT');
  });
}

function openGateway(options: GatewayOptions, additions?: Additions): Promise<Gateway> {
  return startGateway(options, additions).catch((error: unknown) => {
    const { metricsPort } = options.telemetry;
    const isMetrics = metricsPort !== undefined && Object(error).port === metricsPort;
    throw toStartupError(error, isMetrics ? 'HOST or METRICS_PORT' : 'HOST, PORT or REUSE_PORT');
  });
}

/**
 * Turns the error of a server that cannot listen, or of a database that cannot be opened, into a `ConfigError` that
 * names the environment variables at fault. Returns any other error unchanged.
 */
function toStartupError(error: unknown, variables: string): unknown {
  const { code, syscall, message }: Partial<NodeJS.ErrnoException> = Object(error);
  if (code === 'ERR_SQLITE_ERROR' || syscall === 'mkdir')
    return new ConfigError(`EMULATOR_DB: ${message}.`);
  const isAddress = syscall === 'listen' || syscall === 'getaddrinfo';
  return isAddress ? new ConfigError(`${variables}: ${message}.`) : error;
}
