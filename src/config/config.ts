import type { z } from 'zod';
import { environmentSchema } from './config.variables.js';

/** Matches hosts that only this machine can reach. An IPv6 address may have brackets. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

type Environment = z.infer<typeof environmentSchema>;
type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

const probeSchema = environmentSchema.pick({
  STUDY_API_URL: true,
  STUDY_API_TIMEOUT_MS: true,
  STUDY_API_CONNECT_TIMEOUT_MS: true,
  STUDY_API_MAX_ANSWER_BYTES: true,
  STUDY_API_TOKEN: true,
  STUDY_API_TOKEN_FILE: true,
});

/** Converts `STUDY_API_URL` to `studyApiUrl`. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type CamelCased<Variables> = {
  readonly [Name in keyof Variables & string as CamelCase<Name>]: Variables[Name];
};

/** Values of the environment variables, by name in camel case. `config.variables.ts` describes each variable. */
export interface Config extends CamelCased<
  Omit<Environment, 'SANDBOX' | 'EXPLORER' | 'INTROSPECTION'>
> {
  readonly isProduction: boolean;
  readonly sandbox: boolean;
  readonly explorer: boolean;
  readonly introspection: boolean;
}

export interface ProbeConfig extends CamelCased<
  Omit<z.infer<typeof probeSchema>, 'STUDY_API_URL'>
> {
  readonly studyApiUrl: URL;
}

/** The configuration is invalid. The message has one line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables.
 *
 * @throws ConfigError when any variable is invalid, or when variables contradict each other
 */
export function readConfig(environment: ProcessEnvironment): Config {
  const given = toGiven(environment);
  const parsed = environmentSchema.safeParse(given);
  const problems = toProblems(parsed.error);
  if (given['NODE_ENV'] === 'production' && given['STUDY_API_URL'] === undefined)
    problems.push('STUDY_API_URL must be set in production: the emulator is for development.');
  if (parsed.success) problems.push(...findAuthProblems(parsed.data));
  if (parsed.success && isBelowOneMutation(parsed.data))
    problems.push('RATE_LIMIT_MUTATION_FIELDS must be 0, or at least MAX_MUTATION_FIELDS.');
  if (parsed.success && parsed.data.FEDERATION && parsed.data.TRUSTED_DOCUMENTS !== undefined)
    problems.push(
      'TRUSTED_DOCUMENTS must not be set with FEDERATION=true: a router sends documents of its own.',
    );
  if (parsed.success && isBelowOneAnswer(parsed.data))
    problems.push('STUDY_API_ANSWER_BUDGET_BYTES must be at least STUDY_API_MAX_ANSWER_BYTES.');
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

/**
 * Reads the variables that the probe uses. Ignores all other variables, even invalid ones.
 *
 * @throws ConfigError when a variable is invalid, or `STUDY_API_URL` is not set
 */
export function readProbeConfig(environment: ProcessEnvironment): ProbeConfig {
  const parsed = probeSchema.safeParse(toGiven(environment));
  if (!parsed.success) throw new ConfigError(toProblems(parsed.error).join('\n'));
  const { studyApiUrl, ...config } = toCamelCased(parsed.data);
  if (!studyApiUrl) throw new ConfigError('STUDY_API_URL must be set: it names the API to probe.');
  return { ...config, studyApiUrl };
}

/** Returns the variables that are set. An empty variable counts as not set. */
function toGiven(environment: ProcessEnvironment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

function toProblems(error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} must be ${message}.`);
}

/** Returns true if the rate limit would always refuse a mutation with `MAX_MUTATION_FIELDS` fields. */
function isBelowOneMutation(environment: Environment): boolean {
  const { RATE_LIMIT_MUTATION_FIELDS: limit, MAX_MUTATION_FIELDS } = environment;
  return limit > 0 && limit < MAX_MUTATION_FIELDS;
}

/** Returns true if the memory budget for all answers has no room for one answer of the maximum size. */
function isBelowOneAnswer(environment: Environment): boolean {
  return environment.STUDY_API_ANSWER_BUDGET_BYTES < environment.STUDY_API_MAX_ANSWER_BYTES;
}

/** Returns one message for each problem with `AUTH_MODE` and the variables that belong to it. */
function findAuthProblems(environment: Environment): string[] {
  if (environment.AUTH_MODE === 'forward') return findUnused(environment);
  const { STUDY_API_URL, STUDY_API_TOKEN, STUDY_API_TOKEN_FILE, API_KEYS } = environment;
  const { JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE, JWT_WRITE_SCOPE } = environment;
  const isProduction = environment.NODE_ENV === 'production';
  const problems = [];
  if (STUDY_API_URL && !STUDY_API_TOKEN && !STUDY_API_TOKEN_FILE)
    problems.push('STUDY_API_TOKEN or STUDY_API_TOKEN_FILE must be set with AUTH_MODE=service.');
  const jwt = [JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE];
  if (jwt.some(Boolean) && !jwt.every(Boolean))
    problems.push('JWT_JWKS_URL, JWT_ISSUER and JWT_AUDIENCE must be set together.');
  const isOpen = !jwt.some(Boolean) && API_KEYS.length === 0;
  if (isOpen && (isProduction || !LOOPBACK.test(environment.HOST)))
    problems.push(
      'JWT_JWKS_URL or API_KEYS must be set with AUTH_MODE=service. Without them, the gateway would admit everybody, which is allowed only on 127.0.0.1 and not in production.',
    );
  if (JWT_WRITE_SCOPE && !jwt.some(Boolean))
    problems.push(
      'JWT_WRITE_SCOPE does nothing without JWT_JWKS_URL: set both, or append ":read" to the API keys that must not write.',
    );
  if (isProduction && JWT_JWKS_URL && isOpenToTheNetwork(JWT_JWKS_URL))
    problems.push(
      'JWT_JWKS_URL must be https in production, except on this machine: whoever can change the keys on the way can impersonate every caller.',
    );
  return problems;
}

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

/** Returns true if requests to the URL leave this machine unencrypted, so that others can read and change them. */
export function isOpenToTheNetwork(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url);
}

/**
 * Returns a problem if variables are set that only `AUTH_MODE=service` uses. With `forward` the gateway would not
 * authenticate callers, and would send their credentials to the Study API.
 */
function findUnused(environment: Environment): string[] {
  const { STUDY_API_TOKEN, STUDY_API_TOKEN_FILE, API_KEYS } = environment;
  const { JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE, JWT_WRITE_SCOPE } = environment;
  const unused = Object.entries({
    STUDY_API_TOKEN,
    STUDY_API_TOKEN_FILE,
    JWT_JWKS_URL,
    JWT_ISSUER,
    JWT_AUDIENCE,
    JWT_WRITE_SCOPE,
    API_KEYS: API_KEYS.length > 0,
  }).flatMap(([name, value]) => (value ? [name] : []));
  if (unused.length === 0) return [];
  const names = new Intl.ListFormat('en-GB').format(unused);
  const verb = unused.length === 1 ? 'does' : 'do';
  return [
    `${names} ${verb} nothing without AUTH_MODE=service: set AUTH_MODE=service, or set none of these variables.`,
  ];
}

function toCamelCased<Variables extends object>(variables: Variables): CamelCased<Variables> {
  const entries = Object.entries(variables).map(([name, value]) => [
    name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type states the conversion of names above
  return Object.fromEntries(entries) as CamelCased<Variables>;
}
