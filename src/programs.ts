import type { Logger } from 'pino';
import { toBanner } from './process/banner.js';
import { ConfigError, type Config } from './config/config.js';
import type { Emulator } from './emulator/emulator.js';
import { startGateway, type Gateway, type GatewayOptions } from './gateway.js';
import { openTogether } from './process/opened.js';
import { toStartupError } from './process/startup-error.js';
import { tryToListen } from './process/try-to-listen.js';

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
    const { rest, http, graphql } = config;
    const emulator = rest.baseUrl
      ? undefined
      : open(await openEmulator(config, logger).catch((error) => failWithPort(error, http)));
    const baseUrl = rest.baseUrl ?? new URL(emulator!.url);
    const options = { ...config, rest: { ...rest, baseUrl }, logger, demoToken: emulator?.token };
    const gateway = open(await openGateway(options));
    return { banner: toBanner(gateway.url, baseUrl, graphql, emulator?.token) };
  });
  return { banner, stop: close };
}

async function openEmulator(
  { http: { host }, emulator }: Config,
  logger: Logger,
): Promise<Emulator> {
  const { startEmulator } = await import('./emulator/emulator.js');
  try {
    return await startEmulator({ ...emulator, host, logger });
  } catch (error) {
    throw toStartupError(error, 'EMULATOR_PORT', emulator.port, host);
  }
}

/** Throws the `error` of the emulator. If the gateway's own port is not free either, the thrown error names both ports. */
async function failWithPort(
  error: unknown,
  { host, port, reusePort }: Config['http'],
): Promise<never> {
  const own = toStartupError(await tryToListen({ host, port, reusePort }), 'PORT', port, host);
  if (error instanceof ConfigError && own instanceof ConfigError && own.message !== error.message)
    throw new ConfigError(`${own.message}\n${error.message}`);
  throw error;
}

async function openGateway(options: GatewayOptions): Promise<Gateway> {
  try {
    return await startGateway(options);
  } catch (error) {
    const { host, port } = options.http;
    const { metricsPort } = options.telemetry;
    const isOfMetrics = error instanceof Error && 'port' in error && error.port === metricsPort;
    if (isOfMetrics && metricsPort !== undefined)
      throw toStartupError(error, 'METRICS_PORT', metricsPort, host);
    throw toStartupError(error, 'PORT', port, host);
  }
}
