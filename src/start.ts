import type { Logger } from 'pino';
import type { Emulator } from 'study-gateway-emulator';
import type { Config } from './config/config.js';
import { startGateway, type Additions, type Gateway } from './gateway.js';
import { openTogether } from './process/resources.js';

export interface Running {
  /** Text for the terminal of the person who started the program. */
  readonly banner: string;
  readonly close: () => Promise<void>;
}

/** Starts the emulator alone. Rejects with Node's error when its address or its database file cannot be used. */
export async function startEmulatorProgram(config: Config, logger: Logger): Promise<Running> {
  const { url, token, close } = await openEmulator(config, logger);
  return { banner: `The Study API emulator is ready at ${url}, its token is ${token}.\n`, close };
}

/**
 * Starts the gateway, and also the emulator if no Study API is configured. Rejects with Node's error when an address, or the
 * database file of the emulator, cannot be used.
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
    const { url, metricsUrl } = open(await startGateway(options, additions));
    const banner = `
  study-gateway is ready.

  GraphQL    ${url}/graphql
  Explorer   ${graphql.explorer ? `${url}/explorer` : 'off'}
  Study API  ${baseUrl.href}${emulator ? `  the emulator; its token is ${emulator.token}` : ''}

`;
    return { url, metricsUrl, banner };
  });
}

async function openEmulator(
  { http: { host }, emulator }: Config,
  logger: Logger,
): Promise<Emulator> {
  const { startEmulator } = await import('study-gateway-emulator');
  return startEmulator({ ...emulator, host, logger });
}
