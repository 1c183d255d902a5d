// The door of the package `study-gateway`: a gateway with additions, as docs/additions.md shows.
import { readConfig, type Environment } from './config/config.js';
import type { Additions, Gateway } from './gateway.js';
import { createLog } from './process/log.js';
import { openTogether } from './process/resources.js';
import { version } from './process/runtime.js';
import { startGatewayProgram } from './start.js';

export type { CallerIdentity } from './auth/caller.js';
export { ConfigError, type Environment } from './config/config.js';
export type { Context, ResolverContext } from './context.js';
export { Refusal } from './errors/refusal.js';
export type { Additions, Gateway } from './gateway.js';
export { UuidScalar } from './scalars/scalars.js';
export { authorizeCall, type Action, type Authorize } from './study/authorize.js';
export { Study } from './study/type.js';
export type { StudyFields } from './study/wire.js';

/**
 * Starts the gateway as the command `study-gateway` does: with the emulator if no Study API is configured, and a log on
 * stdout. Handles no signals: call `close` to stop.
 *
 * @param environment the variables of docs/configuration.md, such as `process.env`
 * @throws ConfigError when a variable is invalid; Node's error when an address or a file cannot be used
 */
export function startGateway(environment: Environment, additions?: Additions): Promise<Gateway> {
  return openTogether(async (open) => {
    const config = readConfig(environment);
    const { logger, end } = await createLog(config);
    open({ close: end });
    logger.info({ version }, 'study-gateway starts');
    const { url, metricsUrl } = open(await startGatewayProgram(config, logger, additions));
    return { url, metricsUrl };
  });
}
