import { readFileSync } from 'node:fs';
import type { Proxies } from 'rest-outcome';
import { assumed, ContractError, readContract, type Contract } from 'study-gateway-contract';
import type { Variable } from './values.js';
import { variables } from './variables.js';
import { readProxies } from './proxies.js';

/** Maximum number of root fields of a mutation. Each is a REST call, and they run one after the other. */
export const MAX_MUTATION_FIELDS = 5;

/** Matches hosts of URLs that only this machine can reach. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export type Environment = Readonly<Record<string, string | undefined>>;

type ValuesOf<Part> = {
  readonly [Option in keyof Part]: Part[Option] extends Variable<infer Value> ? Value : never;
};

/** Values of variables, by part and option. */
type Settings = { readonly [Part in keyof typeof variables]: ValuesOf<(typeof variables)[Part]> };

/** Options of each part of the gateway. docs/configuration.md says what each one means. */
export interface Config extends Omit<Settings, 'graphql' | 'rest'> {
  readonly rest: Settings['rest'] & { readonly contract: Contract };
  readonly isProduction: boolean;
  /** Proxies for the calls to the Study API and the issuer; `undefined` without any. */
  readonly proxies?: Proxies | undefined;
  readonly graphql: Readonly<Record<keyof Settings['graphql'], boolean>>;
}

/** The configuration is invalid. The message names the first problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables.
 *
 * @throws ConfigError when any variable is invalid, or when variables contradict each other
 */
export function readConfig(environment: Environment): Config {
  const settings = readVariables(environment);
  const isProduction = settings.process.nodeEnv === 'production';
  if (isProduction && !settings.rest.baseUrl)
    fail('STUDY_API_URL must be set in production: the emulator is for development.');
  assertNoContradiction(settings, environment);
  const contract = readContractFile(settings.rest.contractFile);
  const { graphql } = settings;
  return {
    ...settings,
    rest: { ...settings.rest, contract },
    isProduction,
    proxies: readProxies(environment, fail),
    graphql: {
      ...graphql,
      sandbox: graphql.sandbox ?? !isProduction,
      explorer: graphql.explorer ?? !isProduction,
      introspection: graphql.introspection ?? !isProduction,
    },
  };
}

/**
 * Reads the configuration of the command `doctor`: that of the gateway, and a token for the Study API, with `forward` too.
 *
 * @throws ConfigError as `readConfig` does, and when the address or the token is missing
 */
export function readDoctorConfig(environment: Environment) {
  const { authMode, studyApiToken, studyApiTokenFile } = readVariables(environment).auth;
  const { STUDY_API_TOKEN: _token, STUDY_API_TOKEN_FILE: _file, ...others } = environment;
  const config = readConfig(authMode === 'forward' ? others : environment);
  const { baseUrl } = config.rest;
  const token = studyApiTokenFile ? readFileSync(studyApiTokenFile, 'utf8').trim() : studyApiToken;
  if (!baseUrl || token === undefined)
    fail('STUDY_API_URL and STUDY_API_TOKEN must be set for the doctor.');
  return { ...config, rest: { ...config.rest, baseUrl }, token };
}

/** Returns what is assumed without a file. */
function readContractFile(file: string | undefined): Contract {
  try {
    return file === undefined ? assumed : readContract(file);
  } catch (error) {
    if (error instanceof ContractError) fail(error.message);
    throw error;
  }
}

/** Returns the value of each variable. An empty variable counts as not set. */
function readVariables(environment: Environment): Settings {
  const read = ({ name, schema }: Variable): unknown => {
    const { data, error } = schema.safeParse(environment[name] || undefined);
    const [issue] = error?.issues ?? [];
    if (issue) fail(`${name} must be ${issue.message}.`);
    return data;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each schema gave its value
  return mapValues(variables, (part) => mapValues<Variable, unknown>(part, read)) as Settings;
}

function fail(problem: string): never {
  throw new ConfigError(problem);
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, map: (value: From) => To) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

function assertNoContradiction(settings: Settings, environment: Environment): void {
  const { auth, limits, graphql, rest } = settings;
  const { rateLimitMutationFields: limit } = limits;
  if (auth.authMode === 'forward') assertNoneUnused(environment);
  else assertService(settings);
  if (limit > 0 && limit < MAX_MUTATION_FIELDS)
    fail(
      `RATE_LIMIT_MUTATION_FIELDS must be 0, or at least ${MAX_MUTATION_FIELDS}: a mutation may have as many root fields.`,
    );
  if (graphql.federation && limits.trustedDocuments !== undefined)
    fail(
      'TRUSTED_DOCUMENTS must not be set with FEDERATION=true: a router sends documents of its own.',
    );
  if (rest.contractFile !== undefined && !rest.baseUrl)
    fail('STUDY_API_CONTRACT needs STUDY_API_URL: the emulator has a contract of its own.');
}

function assertService({ auth, rest, process }: Settings): void {
  const { jwtJwksUrl, jwtIssuer, jwtAudience, jwtWriteScope, apiKeys } = auth;
  if (rest.baseUrl && !auth.studyApiToken && !auth.studyApiTokenFile)
    fail('STUDY_API_TOKEN or STUDY_API_TOKEN_FILE must be set with AUTH_MODE=service.');
  const jwt = [jwtJwksUrl, jwtIssuer, jwtAudience];
  if (jwt.some(Boolean) && !jwt.every(Boolean))
    fail('JWT_JWKS_URL, JWT_ISSUER and JWT_AUDIENCE must be set together.');
  if (!jwt.some(Boolean) && apiKeys.length === 0)
    fail(
      "API_KEYS or JWT_JWKS_URL must be set with AUTH_MODE=service: without them, everybody could write with the gateway's token.",
    );
  if (jwtWriteScope && !jwtJwksUrl)
    fail(
      'JWT_WRITE_SCOPE does nothing without JWT_JWKS_URL: set both, or append ":read" to the API keys that must not write.',
    );
  if (process.nodeEnv === 'production' && jwtJwksUrl && isOpenToTheNetwork(jwtJwksUrl))
    fail(
      'JWT_JWKS_URL must be https in production, except on this machine: whoever can change the keys on the way can impersonate every caller.',
    );
}

/** Returns true if requests to the URL leave this machine unencrypted, so that others can read and change them. */
function isOpenToTheNetwork({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

/**
 * Throws if a variable is set that only `AUTH_MODE=service` uses. With `forward` the gateway would not authenticate
 * callers, and would send their credentials to the Study API.
 */
function assertNoneUnused(environment: Environment): void {
  const { authMode: _, ...others } = variables.auth;
  const unused = Object.values(others).find(({ name }) => environment[name]);
  if (unused)
    fail(`${unused.name} does nothing without AUTH_MODE=service: set both, or neither of them.`);
}
