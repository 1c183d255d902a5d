import type { Logger } from 'pino';
import type { Emulator } from 'study-gateway-emulator';
import { toBanner } from './process/banner.js';
import { ConfigError, type Config } from './config/config.js';
import { readTokenFile } from './auth/service-token.js';
import { readTrustedDocuments } from './features/documents/trusted-documents.js';
import { startGateway, type Gateway, type GatewayOptions } from './gateway.js';
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
    const { rest, graphql } = config;
    const fail = (error: unknown): Promise<never> => failWithAll(error, config);
    const emulator = rest.baseUrl
      ? undefined
      : open(await openEmulator(config, logger).catch(fail));
    const baseUrl = rest.baseUrl ?? new URL(emulator!.url);
    const options = { ...config, rest: { ...rest, baseUrl }, logger, demoToken: emulator?.token };
    const gateway = open(await openGateway(options).catch(fail));
    return { banner: toBanner(gateway.url, baseUrl, graphql, emulator?.token) };
  });
  return { banner, stop: close };
}

async function openEmulator(
  { http: { host }, emulator }: Config,
  logger: Logger,
): Promise<Emulator> {
  const { startEmulator } = await import('study-gateway-emulator');
  try {
    return await startEmulator({ ...emulator, host, logger });
  } catch (error) {
    throw toStartupError(error, 'EMULATOR_PORT', emulator.port, host);
  }
}

/** Throws the `error` of a start. A `ConfigError` also names each other address and file that cannot be used. */
async function failWithAll(error: unknown, { http, auth, limits }: Config): Promise<never> {
  if (!(error instanceof ConfigError)) throw error;
  const { host, port, reusePort } = http;
  // A shared port would get connections of clients during the attempt.
  const refused = await tryToListen({ host, port: reusePort ? 0 : port });
  const problems = [
    toStartupError(refused, 'PORT', port, host),
    await toProblem(auth.studyApiTokenFile, readTokenFile),
    await toProblem(limits.trustedDocuments, readTrustedDocuments),
    error,
  ].filter((problem) => problem instanceof ConfigError);
  throw new ConfigError([...new Set(problems.map(({ message }) => message))].join('\n'));
}

/** Returns the error of `read`, if any. */
async function toProblem(
  path: string | undefined,
  read: (path: string) => unknown,
): Promise<unknown> {
  try {
    return void (path === undefined || (await read(path)));
  } catch (error) {
    return error;
  }
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
