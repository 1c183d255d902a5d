import { readFileSync } from 'node:fs';
import type { Proxies } from 'rest-outcome';
import { assumed, ContractError, readContract, type Contract } from 'study-gateway-contract';
import type { Variable } from './values.js';
import { variables } from './variables.js';

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
    proxies: readProxies(environment),
    graphql: {
      ...graphql,
      sandbox: graphql.sandbox ?? !isProduction,
      explorer: graphql.explorer ?? !isProduction,
      introspection: graphql.introspection ?? !isProduction,
    },
  };
}

/**
 * Reads what the command `doctor` uses: the Study API as the gateway would call it, and a token, with `forward` too.
 *
 * @throws ConfigError when a variable is invalid, or when the address or the token is missing
 */
export function readDoctorConfig(environment: Environment) {
  const { rest, auth } = readVariables(environment);
  const { baseUrl, contractFile } = rest;
  const { studyApiTokenFile: file, studyApiToken } = auth;
  const token = file ? readFileSync(file, 'utf8').trim() : studyApiToken;
  if (!baseUrl || token === undefined)
    fail('STUDY_API_URL and STUDY_API_TOKEN must be set for the doctor.');
  const contract = readContractFile(contractFile);
  return { rest: { ...rest, baseUrl, contract }, proxies: readProxies(environment), token };
}

/**
 * Reads the variables of proxies that curl and other programs share, in lower or upper case. Never uses a proxy for this
 * machine. Returns `undefined` without any proxy.
 */
function readProxies(environment: Environment): Proxies | undefined {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  const [httpProxy, httpsProxy] = [read('HTTP_PROXY'), read('HTTPS_PROXY')];
  for (const proxy of [httpProxy, httpsProxy])
    if (proxy !== '' && !/^https?:$/.test(URL.parse(proxy)?.protocol ?? ''))
      fail('HTTP_PROXY and HTTPS_PROXY must be http or https URLs.');
  if (!httpProxy && !httpsProxy) return undefined;
  return { httpProxy, httpsProxy, noProxy: `${read('NO_PROXY')},localhost,127.0.0.1,::1` };
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
  const { auth, limits, rest } = settings;
  const { rateLimitMutationFields: limit } = limits;
  if (auth.authMode === 'forward') assertNoneUnused(environment);
  else assertService(settings);
  if (limit > 0 && limit < MAX_MUTATION_FIELDS)
    fail(
      `RATE_LIMIT_MUTATION_FIELDS must be 0, or at least ${MAX_MUTATION_FIELDS}: a mutation may have as many root fields.`,
    );
  if (rest.contractFile !== undefined && !rest.baseUrl)
    fail('STUDY_API_CONTRACT needs STUDY_API_URL: the emulator has a contract of its own.');
}

function assertService({ auth, rest, process }: Settings): void {
  const { jwtJwksUrl, jwtIssuer, jwtAudience, jwtWriteScope, apiKeys } = auth;
  if (rest.baseUrl && !auth.studyApiToken && !auth.studyApiTokenFile)
    fail('STUDY_API_TOKEN or STUDY_API_TOKEN_FILE must be set with AUTH_MODE=service.');
  const jwt = [jwtJwksUrl, jwtIssuer, jwtAudience];
  if ((jwt.some(Boolean) || jwtWriteScope) && !jwt.every(Boolean))
    fail(
      'JWT_JWKS_URL, JWT_ISSUER and JWT_AUDIENCE must be set together, also for JWT_WRITE_SCOPE.',
    );
  if (!jwt.some(Boolean) && apiKeys.length === 0)
    fail(
      "API_KEYS or JWT_JWKS_URL must be set with AUTH_MODE=service: without them, everybody could write with the gateway's token.",
    );
  if (process.nodeEnv === 'production' && jwtJwksUrl && isOpenToTheNetwork(jwtJwksUrl))
    fail(
      'JWT_JWKS_URL must be https in production, except on this machine: whoever can change the keys on the way can impersonate every caller.',
    );
}

/** Returns true if requests to the URL leave this machine unencrypted, so that others can read and change them. */
export function isOpenToTheNetwork({ protocol, hostname }: URL): boolean {
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
