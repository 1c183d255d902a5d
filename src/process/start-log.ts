import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { isOpenToTheNetwork, type Config } from '../config/config.js';
import { findNearNames } from '../config/near-names.js';
import { environmentSchema, secrets } from '../config/config.variables.js';
import { version } from './runtime.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Writes the first log lines: the version, the settings, and warnings about settings that may be mistakes. */
export function logStart(
  logger: Pick<Logger, 'info' | 'warn'>,
  { isProduction, studyApiUrl }: Config,
  environment: Environment,
): void {
  logger.info({ version, settings: toSettings(environment) }, 'study-gateway starts');
  for (const name of findNearNames(environment))
    logger.warn(name, 'unknown environment variable with a name close to a known one');
  if (isProduction && studyApiUrl && isOpenToTheNetwork(studyApiUrl))
    logger.warn(
      { host: studyApiUrl.host },
      'the Study API is called over plain http: tokens and studies can be read on the way',
    );
}

/** Returns the variables that differ from their defaults, with secrets hidden. */
function toSettings(environment: Environment): Record<string, string> {
  const settings = Object.entries(environmentSchema.shape).flatMap(([name, schema]) => {
    const text = environment[name];
    if (!text || isDeepStrictEqual(schema.parse(text), schema.parse(undefined))) return [];
    return [[name, hideSecret(name, text)] as const];
  });
  return Object.fromEntries(settings);
}

function hideSecret(name: string, text: string): string {
  switch (secrets.get(name)) {
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
