import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { isOpenToTheNetwork, type Config } from '../config/config.js';
import { findNearNames } from '../config/near-names.js';
import type { Variable } from '../config/config.values.js';
import { allVariables, removedVariables } from '../config/config.variables.js';
import { version } from './runtime.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Writes the first log lines: the version, the settings, and warnings about settings that may be mistakes. */
export function logStart(
  logger: Pick<Logger, 'info' | 'warn'>,
  { isProduction, rest: { baseUrl } }: Config,
  environment: Environment,
): void {
  logger.info({ version, settings: toSettings(environment) }, 'study-gateway starts');
  for (const name of findNearNames(environment))
    logger.warn(name, 'unknown environment variable with a name close to a known one');
  for (const [variable, constant] of Object.entries(removedVariables))
    if (environment[variable])
      logger.warn(
        { variable, constant },
        'environment variable without effect: it is a constant now',
      );
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
  switch (secret) {
    case 'value':
      return '(set)';
    case 'beyond the host': {
      const { protocol, host } = new URL(text);
      return `${protocol}//${host}`;
    }
    default:
      return text;
  }
}
