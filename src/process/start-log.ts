import type { Logger } from 'pino';
import { isOpenToTheNetwork, type Config, type Environment } from '../config/config.js';
import { allVariables } from '../config/variables.js';
import { version } from './runtime.js';

/** Writes the first log lines: the version, the names of the variables that are set, and a warning about plain http. */
export function logStart(
  logger: Pick<Logger, 'info' | 'warn'>,
  { isProduction, rest: { baseUrl } }: Config,
  environment: Environment,
): void {
  const settings = allVariables.map(({ name }) => name).filter((name) => environment[name]);
  logger.info({ version, settings }, 'study-gateway starts');
  if (isProduction && baseUrl && isOpenToTheNetwork(baseUrl))
    logger.warn(
      { host: baseUrl.host },
      'the Study API is called over plain http: tokens and studies can be read on the way',
    );
}
