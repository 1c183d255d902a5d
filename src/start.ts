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

/** Ports that the emulator tries in turn if `EMULATOR_PORT` is not set. */
const EMULATOR_PORTS = { first: 4010, last: 4019 } as const;

async function openEmulator(
  { http: { host }, emulator }: Config,
  logger: Logger,
): Promise<Emulator> {
  const { startEmulator } = await import('study-gateway-emulator');
  const start = (port: number): Promise<Emulator> =>
    startEmulator({ ...emulator, host, port, logger }).catch((error: unknown) => {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      const isLast = emulator.port !== undefined || port === EMULATOR_PORTS.last;
      if (!isTaken || isLast) throw toStartupError(error, 'EMULATOR_PORT', port, host);
      logger.warn({ port }, 'the port is taken, so the emulator tries the next one');
      return start(port + 1);
    });
  return start(emulator.port ?? EMULATOR_PORTS.first);
}

function openGateway(options: GatewayOptions, additions?: Additions): Promise<Gateway> {
  return startGateway(options, additions).catch((error: unknown) => {
    const { host, port } = options.http;
    const { metricsPort } = options.telemetry;
    const failed = error instanceof Error && 'port' in error ? error.port : undefined;
    if (metricsPort !== undefined && failed === metricsPort)
      throw toStartupError(error, 'METRICS_PORT', metricsPort, host);
    throw toStartupError(error, 'PORT', port, host);
  });
}

const noDatabase = 'EMULATOR_DB: the file cannot be opened as a SQLite database.';

/**
 * Turns the error of a server that cannot listen, or of a database that cannot be opened, into a `ConfigError` that
 * names the environment variable at fault. Returns any other error unchanged.
 *
 * @param portVariable name of the environment variable that sets `port`
 */
function toStartupError(error: unknown, portVariable: string, port: number, host: string): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const isNoFolder = 'syscall' in error && error.syscall === 'mkdir';
  const noAddress = `HOST: ${host} is not an address of this machine.`;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `${portVariable}: port ${port} of ${host} is taken by another program. Set ${portVariable} to a free one.`,
    EACCES: `${portVariable}: this user may not listen on port ${port}.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    EAI_AGAIN: noAddress,
    ENOTSUP: 'REUSE_PORT: this operating system does not share a port among processes. Linux does.',
    ERR_SQLITE_ERROR: noDatabase,
  };
  const message = isNoFolder ? noDatabase : messages[String(error.code)];
  return message === undefined ? error : new ConfigError(message);
}
