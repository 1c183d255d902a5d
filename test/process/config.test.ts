import { expect, it } from 'vitest';
import { assumed } from 'study-gateway-contract';
import { readConfig } from '../../src/config/config.js';
import { allVariables } from '../../src/config/variables.js';

const url = 'https://api.example.com/api/v1';
const contractFile = 'test/process/contract.fixture.json';

const defaults = {
  isProduction: false,
  rest: {
    contract: assumed,
    deadlineMs: 10_000,
    maxAnswerBytes: 4_194_304,
    maxCalls: 256,
  },
  auth: {
    authMode: 'forward',
    apiKeys: [],
  },
  shared: {},
  http: {
    host: '127.0.0.1',
    port: 4000,
    reusePort: false,
    corsOrigins: [],
    maxBodyBytes: 262_144,
    trustProxy: 0,
    maxConnections: 4_000,
    requestTimeoutMs: 10_000,
    keepAliveTimeoutMs: 72_000,
    shutdownGraceMs: 15_000,
  },
  limits: {
    rateLimitRequests: 0,
    rateLimitMutationFields: 0,
  },
  emulator: {
    port: undefined,
    database: '.data/emulator.sqlite',
  },
  process: {
    nodeEnv: 'development',
    logLevel: 'info',
  },
  graphql: {
    sandbox: true,
    explorer: true,
    introspection: true,
    federation: false,
  },
  telemetry: {},
};

/** All variables, each with a value that differs from its default. */
const environment = {
  STUDY_API_URL: url,
  STUDY_API_CONTRACT: contractFile,
  STUDY_API_TIMEOUT_MS: '600000',
  STUDY_API_MAX_ANSWER_BYTES: '1024',
  STUDY_API_MAX_CALLS: '1',
  AUTH_MODE: 'service',
  STUDY_API_TOKEN: 'token',
  STUDY_API_TOKEN_FILE: '/run/secrets/token',
  JWT_JWKS_URL: 'https://issuer.example.com/keys?p=1',
  JWT_ISSUER: 'https://issuer.example.com/',
  JWT_AUDIENCE: 'study-gateway',
  JWT_WRITE_SCOPE: 'studies:write',
  API_KEYS: `ci:${'a'.repeat(64)}, board:${'B'.repeat(64)}:read`,
  REDIS_URL: 'rediss://user:secret@redis.example.com:6380/2',
  HOST: '0.0.0.0',
  PORT: '0',
  REUSE_PORT: 'true',
  CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
  MAX_BODY_BYTES: '2048',
  TRUST_PROXY: '1',
  MAX_CONNECTIONS: '3',
  REQUEST_TIMEOUT_MS: '5000',
  KEEP_ALIVE_TIMEOUT_MS: '5500',
  SHUTDOWN_GRACE_MS: '6000',
  RATE_LIMIT_REQUESTS: '600',
  RATE_LIMIT_MUTATION_FIELDS: '5',
  TRUSTED_DOCUMENTS: 'manifest.json',
  EMULATOR_PORT: '65535',
  EMULATOR_DB: ':memory:',
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  SANDBOX: 'false',
  EXPLORER: 'false',
  INTROSPECTION: 'false',
  FEDERATION: 'true',
  METRICS_PORT: '9464',
};

const production = { NODE_ENV: 'production', STUDY_API_URL: url };

it('has a default for every variable', () => {
  expect(readConfig({})).toEqual(defaults);
});

it('treats an empty variable as not set, and ignores unknown variables', () => {
  const empty = allVariables.map(({ name }) => [name, ''] as const);

  expect(readConfig({ ...Object.fromEntries(empty), PORTS: 'x' })).toEqual(defaults);
});

it('reads every variable', () => {
  expect(Object.keys(environment)).toEqual(allVariables.map(({ name }) => name));
  // FEDERATION and TRUSTED_DOCUMENTS may not both be set.
  expect(readConfig({ ...environment, TRUSTED_DOCUMENTS: '' }).graphql.federation).toBe(true);
  expect(readConfig({ ...environment, FEDERATION: '' })).toEqual({
    isProduction: false,
    rest: {
      baseUrl: new URL(url),
      contract: { ...assumed, answer: { ...assumed.answer, at: '/data' }, file: contractFile },
      contractFile,
      deadlineMs: 600_000,
      maxAnswerBytes: 1024,
      maxCalls: 1,
    },
    auth: {
      authMode: 'service',
      studyApiToken: 'token',
      studyApiTokenFile: '/run/secrets/token',
      jwtJwksUrl: new URL('https://issuer.example.com/keys?p=1'),
      jwtIssuer: 'https://issuer.example.com/',
      jwtAudience: 'study-gateway',
      jwtWriteScope: 'studies:write',
      apiKeys: [
        { name: 'ci', sha256: 'a'.repeat(64), mayWrite: true },
        { name: 'board', sha256: 'b'.repeat(64), mayWrite: false },
      ],
    },
    shared: {
      redisUrl: new URL('rediss://user:secret@redis.example.com:6380/2'),
    },
    http: {
      host: '0.0.0.0',
      port: 0,
      reusePort: true,
      corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
      maxBodyBytes: 2048,
      trustProxy: 1,
      maxConnections: 3,
      requestTimeoutMs: 5000,
      keepAliveTimeoutMs: 5500,
      shutdownGraceMs: 6000,
    },
    limits: {
      rateLimitRequests: 600,
      rateLimitMutationFields: 5,
      trustedDocuments: 'manifest.json',
    },
    emulator: {
      port: 65_535,
      database: ':memory:',
    },
    process: {
      nodeEnv: 'test',
      logLevel: 'silent',
    },
    graphql: {
      sandbox: false,
      explorer: false,
      introspection: false,
      federation: false,
    },
    telemetry: {
      metricsPort: 9464,
    },
  });
});

it('turns Sandbox, explorer and introspection off in production', () => {
  expect(readConfig(production)).toEqual({
    ...defaults,
    isProduction: true,
    rest: { ...defaults.rest, baseUrl: new URL(url) },
    process: { ...defaults.process, nodeEnv: 'production' },
    graphql: { ...defaults.graphql, sandbox: false, explorer: false, introspection: false },
  });
});

it('turns Sandbox or introspection on in production if configured', () => {
  expect(readConfig({ ...production, SANDBOX: 'true' })).toMatchObject({
    graphql: { sandbox: true, introspection: false },
  });
  expect(readConfig({ ...production, INTROSPECTION: 'true' })).toMatchObject({
    graphql: { sandbox: false, introspection: true },
  });
});
