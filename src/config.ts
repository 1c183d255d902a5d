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

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

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
      'Deadline of one call, in ms: queue, connection, retries, headers and body together.',
    ),
  STUDY_API_CONNECT_TIMEOUT_MS: wholeNumber(1, 60_000)
    .default(2_000)
    .describe('The part of the deadline that one connection may take to be made, in ms.'),
  STUDY_API_MAX_ANSWER_BYTES: wholeNumber(1_024, 1_073_741_824)
    .default(8_388_608)
    .describe('Longest answer of the Study API, before and after decompression.'),
  STUDY_API_MAX_CALLS: wholeNumber(1, 65_535)
    .default(256)
    .describe('Calls under way at once, and so connections to the Study API.'),
  STUDY_API_MAX_QUEUE: wholeNumber(0, 65_535)
    .default(256)
    .describe('Calls that may wait for one of those to end; the next one is `OVERLOADED`.'),
  STUDY_API_CIRCUIT_OPEN_MS: wholeNumber(1, 600_000)
    .default(5_000)
    .describe('How long the circuit breaker stays open before it lets one call through, in ms.'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'a redis or rediss URL' })
    .transform((text) => new URL(text))
    .refine(({ pathname }) => /^\/?\d*$/.test(pathname), 'a URL whose path is a database number')
    .optional()
    .describe('Redis or Valkey, for what gateways share. Without it each keeps its own in memory.'),
  IDEMPOTENCY_TTL_HOURS: wholeNumber(1, 720)
    .default(24)
    .describe('How long an idempotency key is held, in hours from its first call.'),
  IDEMPOTENCY_MAX_KEYS: wholeNumber(1, 10_000_000)
    .default(100_000)
    .describe('Most idempotency keys in memory; the next one is `OVERLOADED`. Not with Redis.'),
  IDEMPOTENCY_MAX_BYTES: wholeNumber(0, 17_179_869_184)
    .default(134_217_728)
    .describe(
      'Most bytes of answers kept for them; more are remembered as `APPLIED`. Not with Redis.',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  PORT: wholeNumber(0, 65_535).default(4000).describe('Port of the gateway; 0 takes any free one.'),
  CORS_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .refine(
      (origins) => origins.every(isOrigin),
      'origins such as https://app.example.com, parted by commas',
    )
    .default([])
    .describe(
      'Origins whose pages may read answers; outside production also Sandbox and this machine.',
    ),
  MAX_BODY_BYTES: wholeNumber(1_024, 104_857_600)
    .default(1_048_576)
    .describe('Longest request body.'),
  MAX_DOCUMENT_LENGTH: wholeNumber(1, 1_000_000)
    .default(20_000)
    .describe('Longest GraphQL document, in characters.'),
  MAX_DOCUMENT_TOKENS: wholeNumber(1, 100_000)
    .default(1_000)
    .describe('Most tokens of a document.'),
  MAX_DEPTH: wholeNumber(1, 100)
    .default(15)
    .describe('Deepest nesting of fields, through fragments.'),
  MAX_ALIASES: wholeNumber(0, 10_000)
    .default(15)
    .describe('Most fields with an alias, through fragments.'),
  MAX_DIRECTIVES: wholeNumber(0, 10_000).default(10).describe('Most directives of a document.'),
  MAX_MUTATION_FIELDS: wholeNumber(1, 10_000)
    .default(5)
    .describe('Most root fields of one mutation: each is a REST call.'),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe('Most connections of clients at once.'),
  HEADERS_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(10_000)
    .describe('Time for the headers of a request to arrive, in ms.'),
  REQUEST_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(30_000)
    .describe('Time for a whole request to arrive, in ms.'),
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000)
    .default(15_000)
    .describe('Time that requests under way have to end when the gateway stops, in ms.'),
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
    .describe(
      '`production` turns Sandbox, explorer and introspection off, and needs `STUDY_API_URL`.',
    ),
  SANDBOX: flag
    .optional()
    .describe('Whether browsers get Apollo Sandbox at `/graphql`. Default: not in production.'),
  EXPLORER: flag
    .optional()
    .describe('Whether `/explorer` is there, which needs no network. Default: not in production.'),
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

type Environment = z.infer<typeof environmentSchema>;

/** `STUDY_API_URL` is `studyApiUrl`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type CamelCased<Variables> = {
  readonly [Name in keyof Variables & string as CamelCase<Name>]: Variables[Name];
};

/** The variables, read and in camel case. What each of them means is said where it is declared. */
export interface Config extends CamelCased<
  Omit<Environment, 'SANDBOX' | 'EXPLORER' | 'INTROSPECTION'>
> {
  readonly isProduction: boolean;
  readonly sandbox: boolean;
  readonly explorer: boolean;
  readonly introspection: boolean;
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

  const isProduction = parsed.data.NODE_ENV === 'production';
  return {
    ...toCamelCased(parsed.data),
    isProduction,
    sandbox: parsed.data.SANDBOX ?? !isProduction,
    explorer: parsed.data.EXPLORER ?? !isProduction,
    introspection: parsed.data.INTROSPECTION ?? !isProduction,
  };
}

function toCamelCased<Variables extends object>(variables: Variables): CamelCased<Variables> {
  const entries = Object.entries(variables).map(([name, value]) => [
    name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says what the line above does
  return Object.fromEntries(entries) as CamelCased<Variables>;
}
