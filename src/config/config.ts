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
    problems.push('RATE_LIMIT_MUTATION_FIELDS must be 0, or MAX_MUTATION_FIELDS at least.');
  if (parsed.success && parsed.data.FEDERATION && parsed.data.TRUSTED_DOCUMENTS !== undefined)
    problems.push(
      'TRUSTED_DOCUMENTS must not be set with FEDERATION=true: a router writes documents of its own.',
    );
  if (parsed.success && isBelowOneAnswer(parsed.data))
    problems.push('STUDY_API_ANSWER_BUDGET_BYTES must be STUDY_API_MAX_ANSWER_BYTES at least.');
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
 * Reads the variables of the probe. Ignores all others, even invalid ones: the probe starts no gateway.
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

/** Whether the rate limit is below `MAX_MUTATION_FIELDS`: an allowed mutation of that size would never pass. */
function isBelowOneMutation(environment: Environment): boolean {
  const { RATE_LIMIT_MUTATION_FIELDS: limit, MAX_MUTATION_FIELDS } = environment;
  return limit > 0 && limit < MAX_MUTATION_FIELDS;
}

/** Whether the budget is below the maximum size of an answer: an answer of that size would never get room. */
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
      'JWT_JWKS_URL or API_KEYS must be set with AUTH_MODE=service: else everybody could call. Only on 127.0.0.1, and not in production, everybody may.',
    );
  if (JWT_WRITE_SCOPE && !jwt.some(Boolean))
    problems.push(
      'JWT_WRITE_SCOPE does nothing without JWT_JWKS_URL: set both, or give the API keys that may only read ":read".',
    );
  if (isProduction && JWT_JWKS_URL && isOpenToTheNetwork(JWT_JWKS_URL))
    problems.push(
      'JWT_JWKS_URL must be https in production, but on this machine: who can change that answer can be anybody.',
    );
  return problems;
}

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

/** Whether requests to a URL leave this machine unencrypted, so that others can read and change the traffic. */
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
  return [`${names} ${verb} nothing without AUTH_MODE=service: set that too, or set none of them.`];
}

function toCamelCased<Variables extends object>(variables: Variables): CamelCased<Variables> {
  const entries = Object.entries(variables).map(([name, value]) => [
    name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type states the conversion of names above
  return Object.fromEntries(entries) as CamelCased<Variables>;
}
