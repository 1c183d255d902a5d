import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { isOpenToTheNetwork, type Config, type Environment } from '../config/config.js';
import type { Variable } from '../config/values.js';
import { allVariables } from '../config/variables.js';
import { version } from './runtime.js';

/** Writes the first log lines: the version, the settings, and a warning about plain http. */
export function logStart(
  logger: Pick<Logger, 'info' | 'warn'>,
  { isProduction, rest: { baseUrl } }: Config,
  environment: Environment,
): void {
  logger.info({ version, settings: toSettings(environment) }, 'study-gateway starts');
  if (isProduction && baseUrl && isOpenToTheNetwork(baseUrl))
    logger.warn(
      { host: baseUrl.host },
      'the Study API is called over plain http: tokens and studies can be read on the way',
    );
}

/** Returns the variables that differ from their defaults, with secrets hidden. */
function toSettings(environment: Environment): Record<string, string> {
  const settings = allVariables.flatMap(({ name, schema, secret }) => {
    const text = environment[name];
    if (!text || isDeepStrictEqual(schema.parse(text), schema.parse(undefined))) return [];
    return [[name, hideSecret(secret, text)] as const];
  });
  return Object.fromEntries(settings);
}

function hideSecret(secret: Variable['secret'], text: string): string {
  if (secret === undefined) return text;
  if (secret === 'value') return '(set)';
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
