import { assumed } from 'study-gateway-contract';
import { expect, it } from 'vitest';
import { readConfig, type Config } from '../../src/config/config.js';
import { allVariables } from '../../src/config/variables.js';

const url = 'https://api.example.com/api/v1';
const jwks = 'https://issuer.example.com/keys?p=1';
const redis = 'rediss://user:secret@redis.example.com:6380/2';
const keys = `ci:${'a'.repeat(64)}, board:${'B'.repeat(64)}:read`;
const file = 'test/process/contract.fixture.json';

/** All variables: name, option, default, a text, and the value of the text. */
const rows: readonly (readonly [string, string, unknown, string, unknown])[] = [
  ['STUDY_API_URL', 'rest.baseUrl', undefined, url, new URL(url)],
  ['STUDY_API_CONTRACT', 'rest.contractFile', undefined, file, file],
  ['STUDY_API_TIMEOUT_MS', 'rest.deadlineMs', 10_000, '600000', 600_000],
  ['STUDY_API_MAX_ANSWER_BYTES', 'rest.maxAnswerBytes', 4_194_304, '1024', 1024],
  ['STUDY_API_MAX_CALLS', 'rest.maxCalls', 256, '1', 1],
  ['AUTH_MODE', 'auth.authMode', 'forward', 'service', 'service'],
  ['STUDY_API_TOKEN', 'auth.studyApiToken', undefined, 'token', 'token'],
  ['STUDY_API_TOKEN_FILE', 'auth.studyApiTokenFile', undefined, '/run/token', '/run/token'],
  ['JWT_JWKS_URL', 'auth.jwtJwksUrl', undefined, jwks, new URL(jwks)],
  ['JWT_ISSUER', 'auth.jwtIssuer', undefined, 'https://issuer/', 'https://issuer/'],
  ['JWT_AUDIENCE', 'auth.jwtAudience', undefined, 'study-gateway', 'study-gateway'],
  ['JWT_WRITE_SCOPE', 'auth.jwtWriteScope', undefined, 'studies:write', 'studies:write'],
  [
    'API_KEYS',
    'auth.apiKeys',
    [],
    keys,
    [
      { name: 'ci', sha256: 'a'.repeat(64), mayWrite: true },
      { name: 'board', sha256: 'b'.repeat(64), mayWrite: false },
    ],
  ],
  ['REDIS_URL', 'shared.redisUrl', undefined, redis, new URL(redis)],
  ['HOST', 'http.host', '127.0.0.1', '0.0.0.0', '0.0.0.0'],
  ['PORT', 'http.port', 4000, '0', 0],
  ['REUSE_PORT', 'http.reusePort', false, 'true', true],
  [
    'CORS_ORIGINS',
    'http.corsOrigins',
    [],
    'https://a.b, http://c:1',
    ['https://a.b', 'http://c:1'],
  ],
  ['MAX_BODY_BYTES', 'http.maxBodyBytes', 262_144, '2048', 2048],
  ['TRUST_PROXY', 'http.trustProxy', 0, '1', 1],
  ['MAX_CONNECTIONS', 'http.maxConnections', 4_000, '3', 3],
  ['REQUEST_TIMEOUT_MS', 'http.requestTimeoutMs', 10_000, '5000', 5000],
  ['KEEP_ALIVE_TIMEOUT_MS', 'http.keepAliveTimeoutMs', 72_000, '5500', 5500],
  ['SHUTDOWN_GRACE_MS', 'http.shutdownGraceMs', 15_000, '6000', 6000],
  ['RATE_LIMIT_REQUESTS', 'limits.rateLimitRequests', 0, '600', 600],
  ['RATE_LIMIT_MUTATION_FIELDS', 'limits.rateLimitMutationFields', 0, '5', 5],
  ['TRUSTED_DOCUMENTS', 'limits.trustedDocuments', undefined, 'manifest.json', 'manifest.json'],
  ['EMULATOR_PORT', 'emulator.port', 4010, '65535', 65_535],
  ['EMULATOR_DB', 'emulator.database', '.data/emulator.sqlite', ':memory:', ':memory:'],
  ['NODE_ENV', 'process.nodeEnv', 'development', 'test', 'test'],
  ['LOG_LEVEL', 'process.logLevel', 'info', 'silent', 'silent'],
  ['SANDBOX', 'graphql.sandbox', true, 'false', false],
  ['EXPLORER', 'graphql.explorer', true, 'false', false],
  ['INTROSPECTION', 'graphql.introspection', true, 'false', false],
  ['FEDERATION', 'graphql.federation', false, 'true', true],
  ['METRICS_PORT', 'telemetry.metricsPort', undefined, '9464', 9464],
];

/** Returns the configuration with these values at these options, and nothing else. */
function toConfig(options: readonly (readonly [string, unknown])[], contract: object): Config {
  const config: Record<string, Record<string, unknown>> = { rest: { contract } };
  for (const [path, value] of options) {
    const [part = '', option = ''] = path.split('.');
    (config[part] ??= {})[option] = value;
  }
  return { isProduction: false, ...config } as never;
}

const defaults = toConfig(
  rows.map(([, option, value]) => [option, value]),
  assumed,
);

it('has a default for every variable', () => {
  expect(readConfig({})).toEqual(defaults);
});

it('treats an empty variable as not set, and ignores unknown variables', () => {
  const empty = allVariables.map(({ name }) => [name, ''] as const);

  expect(readConfig({ ...Object.fromEntries(empty), PORTS: 'x' })).toEqual(defaults);
});

// The two may not both be set.
it.each(['FEDERATION', 'TRUSTED_DOCUMENTS'])('reads every variable but %s', (left) => {
  const given = rows.filter(([name]) => name !== left);

  const config = readConfig(Object.fromEntries(given.map(([name, , , text]) => [name, text])));

  const contract = { ...assumed, answer: { ...assumed.answer, at: '/data' } };
  const values = rows.map(([name, option, byDefault, , value]) => {
    return [option, name === left ? byDefault : value] as const;
  });
  expect(config).toEqual(toConfig(values, contract));
  expect(rows.map(([name]) => name)).toEqual(allVariables.map(({ name }) => name));
});

const production = { NODE_ENV: 'production', STUDY_API_URL: url };

it.each([
  [{}, { sandbox: false, explorer: false, introspection: false }],
  [{ SANDBOX: 'true' }, { sandbox: true, explorer: false, introspection: false }],
  [{ INTROSPECTION: 'true' }, { sandbox: false, explorer: false, introspection: true }],
])('turns Sandbox, explorer and introspection off in production, except for %j', (env, pages) => {
  expect(readConfig({ ...production, ...env })).toEqual({
    ...defaults,
    isProduction: true,
    rest: { ...defaults.rest, baseUrl: new URL(url) },
    process: { ...defaults.process, nodeEnv: 'production' },
    graphql: { ...defaults.graphql, ...pages },
  });
});
