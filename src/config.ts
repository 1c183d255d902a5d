import { z } from 'zod';

/** A whole number in decimal digits, from `min` to `max`. */
function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

const flag = z.enum(['true', 'false'], 'true or false').transform((value) => value === 'true');

const apiUrl = z
  .url({ protocol: /^https?$/, error: 'an http or https URL' })
  .transform((text) => new URL(text))
  .refine(
    ({ username, password, search, hash }) => !(username || password || search || hash),
    'a URL without a user, a query or a fragment',
  );

/**
 * Every environment variable there is. An empty one counts as not set. The message of each check says what
 * is expected, its description what it does; the README's table is tested against both.
 */
export const environmentSchema = z.object({
  STUDY_API_URL: apiUrl
    .optional()
    .describe('Base URL of the Study API. Without it the emulator is started beside the gateway.'),
  STUDY_API_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(10_000)
    .describe(
      'Deadline of one call to the Study API, in ms: connection, headers and body together.',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  PORT: wholeNumber(0, 65_535).default(4000).describe('Port of the gateway; 0 takes any free one.'),
  EMULATOR_PORT: wholeNumber(0, 65_535)
    .default(4010)
    .describe('Port of the emulator; 0 takes any free one.'),
  EMULATOR_DB: z
    .string()
    .default('.data/emulator.sqlite')
    .describe('Where the emulator keeps its studies: a file, or `:memory:`.'),
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'development, production or test')
    .default('development')
    .describe('`production` turns Sandbox and introspection off, and needs `STUDY_API_URL`.'),
  SANDBOX: flag
    .optional()
    .describe('Whether browsers get Apollo Sandbox at `/graphql`. Default: not in production.'),
  INTROSPECTION: flag
    .optional()
    .describe('Whether clients may read the schema. Default: not in production.'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .describe('The least severe log line that is written.'),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  /** `undefined`: the emulator is to be started. */
  readonly studyApiUrl: URL | undefined;
  readonly studyApiTimeoutMs: number;
  readonly emulatorPort: number;
  readonly emulatorDatabase: string;
  readonly isProduction: boolean;
  readonly sandbox: boolean;
  readonly introspection: boolean;
  readonly logLevel: string;
}

/** The environment is not fit to start with. The message names every variable at fault, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')} must be ${message}.`);
  if (given['NODE_ENV'] === 'production' && given['STUDY_API_URL'] === undefined)
    problems.push('STUDY_API_URL must be set in production: the emulator is for development.');
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'));

  const env = parsed.data;
  const isProduction = env.NODE_ENV === 'production';
  return {
    host: env.HOST,
    port: env.PORT,
    studyApiUrl: env.STUDY_API_URL,
    studyApiTimeoutMs: env.STUDY_API_TIMEOUT_MS,
    emulatorPort: env.EMULATOR_PORT,
    emulatorDatabase: env.EMULATOR_DB,
    isProduction,
    sandbox: env.SANDBOX ?? !isProduction,
    introspection: env.INTROSPECTION ?? !isProduction,
    logLevel: env.LOG_LEVEL,
  };
}
