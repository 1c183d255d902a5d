import { isDeepStrictEqual } from 'node:util';
import { distance } from 'fastest-levenshtein';
import type { Logger } from 'pino';
import { isOpenToTheNetwork, type Config, type Environment } from '../config/config.js';
import type { Variable } from '../config/config.values.js';
import { allVariables } from '../config/config.variables.js';
import { version } from './runtime.js';

/** Writes the first log lines: the version, the settings, and warnings about settings that may be mistakes. */
export function logStart(
  logger: Pick<Logger, 'info' | 'warn'>,
  { isProduction, rest: { baseUrl } }: Config,
  environment: Environment,
): void {
  logger.info({ version, settings: toSettings(environment) }, 'study-gateway starts');
  for (const name of findNearNames(environment))
    logger.warn(name, 'unknown environment variable with a name close to a known one');
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

/** Minimum length of a name to check: shorter names resemble too many others. */
const MIN_LENGTH = 8;
/** Maximum number of letters by which a misspelt name differs from the name that was meant. */
const MAX_DISTANCE = 2;

/** Value of a variable `…_PORT` that Kubernetes sets in each container for a service. */
const SERVICE_URL = /^(tcp|udp|sctp):\/\//;

/** Finds variables that are probably misspelt: their names are one or two letters away from a known name, `near`. */
export function findNearNames(environment: Environment) {
  const known = allVariables.map(({ name }) => name);
  return Object.entries(environment).flatMap(([variable, value = '']) => {
    if (variable.length < MIN_LENGTH || SERVICE_URL.test(value)) return [];
    if (known.includes(variable)) return [];
    const near = known.find((name) => distance(variable, name) <= MAX_DISTANCE);
    return near === undefined ? [] : [{ variable, near }];
  });
}
