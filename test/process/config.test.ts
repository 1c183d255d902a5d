import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { environmentSchema } from '../../src/config/config.variables.js';

const url = 'https://api.example.com/api/v1';

const defaults = {
  studyApiTimeoutMs: 10_000,
  studyApiConnectTimeoutMs: 2_000,
  studyApiMaxAnswerBytes: 8_388_608,
  studyApiAnswerBudgetBytes: 33_554_432,
  studyApiMaxCalls: 256,
  studyApiMaxQueue: 256,
  studyApiCircuitOpenMs: 5_000,
  authMode: 'forward',
  jwtAlgorithms: ['RS256', 'ES256', 'EdDSA'],
  jwtClockSkewSeconds: 60,
  jwtJwksMaxStaleHours: 24,
  apiKeys: [],
  idempotencyTtlHours: 24,
  idempotencyMaxKeys: 100_000,
  idempotencyMaxBytes: 134_217_728,
  host: '127.0.0.1',
  port: 4000,
  reusePort: false,
  allowedHosts: [],
  corsOrigins: [],
  maxBodyBytes: 1_048_576,
  maxDocumentLength: 20_000,
  maxDocumentTokens: 1_000,
  maxDepth: 15,
  maxAliases: 15,
  maxDirectives: 10,
  maxMutationFields: 5,
  maxListedStudies: 500,
  rateLimitRequests: 0,
  rateLimitMutationFields: 0,
  trustProxy: 0,
  maxConnections: 10_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 72_000,
  shutdownGraceMs: 15_000,
  emulatorPort: 4010,
  emulatorDb: '.data/emulator.sqlite',
  nodeEnv: 'development',
  isProduction: false,
  sandbox: true,
  explorer: true,
  introspection: true,
  plans: true,
  federation: false,
  logLevel: 'info',
};

/** All variables, each with a value that differs from its default. */
const environment = {
  STUDY_API_URL: url,
  STUDY_API_TIMEOUT_MS: '600000',
  STUDY_API_CONNECT_TIMEOUT_MS: '1',
  STUDY_API_MAX_ANSWER_BYTES: '1024',
  STUDY_API_ANSWER_BUDGET_BYTES: '2048',
  STUDY_API_MAX_CALLS: '1',
  STUDY_API_MAX_QUEUE: '0',
  STUDY_API_CIRCUIT_OPEN_MS: '2500',
  AUTH_MODE: 'service',
  STUDY_API_TOKEN: 'token',
  STUDY_API_TOKEN_FILE: '/run/secrets/token',
  JWT_JWKS_URL: 'https://issuer.example.com/keys?p=1',
  JWT_ISSUER: 'https://issuer.example.com/',
  JWT_AUDIENCE: 'study-gateway',
  JWT_ALGORITHMS: 'PS256, Ed25519',
  JWT_CLOCK_SKEW_SECONDS: '0',
  JWT_JWKS_MAX_STALE_HOURS: '720',
  JWT_WRITE_SCOPE: 'studies:write',
  API_KEYS: `ci:${'a'.repeat(64)}, board:${'B'.repeat(64)}:read`,
  REDIS_URL: 'rediss://user:secret@redis.example.com:6380/2',
  IDEMPOTENCY_TTL_HOURS: '1',
  IDEMPOTENCY_MAX_KEYS: '10',
  IDEMPOTENCY_MAX_BYTES: '0',
  HOST: '0.0.0.0',
  ALLOWED_HOSTS: 'studies.example, localhost:4000',
  PORT: '0',
  REUSE_PORT: 'true',
  CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
  MAX_BODY_BYTES: '2048',
  MAX_DOCUMENT_LENGTH: '3000',
  MAX_DOCUMENT_TOKENS: '400',
  MAX_DEPTH: '7',
  MAX_ALIASES: '0',
  MAX_DIRECTIVES: '1',
  MAX_MUTATION_FIELDS: '2',
  MAX_LISTED_STUDIES: '70',
  RATE_LIMIT_REQUESTS: '600',
  RATE_LIMIT_MUTATION_FIELDS: '2',
  TRUST_PROXY: '1',
  TRUSTED_DOCUMENTS: 'manifest.json',
  MAX_CONNECTIONS: '3',
  HEADERS_TIMEOUT_MS: '4000',
  REQUEST_TIMEOUT_MS: '5000',
  KEEP_ALIVE_TIMEOUT_MS: '5500',
  SHUTDOWN_GRACE_MS: '6000',
  EMULATOR_PORT: '65535',
  EMULATOR_DB: ':memory:',
  NODE_ENV: 'test',
  SANDBOX: 'false',
  EXPLORER: 'false',
  INTROSPECTION: 'false',
  PLANS: 'false',
  FEDERATION: 'true',
  METRICS_PORT: '9464',
  LOG_LEVEL: 'silent',
};

const production = { NODE_ENV: 'production', STUDY_API_URL: url };

it('has a default for every variable', () => {
  expect(readConfig({})).toEqual(defaults);
});

it('treats an empty variable as not set, and ignores unknown variables', () => {
  const empty = Object.keys(environmentSchema.shape).map((name) => [name, ''] as const);

  expect(readConfig({ ...Object.fromEntries(empty), PORTS: 'x' })).toEqual(defaults);
});

it('reads every variable', () => {
  expect(Object.keys(environment)).toEqual(Object.keys(environmentSchema.shape));
  // FEDERATION and TRUSTED_DOCUMENTS may not both be set.
  expect(readConfig({ ...environment, TRUSTED_DOCUMENTS: '' }).federation).toBe(true);
  expect(readConfig({ ...environment, FEDERATION: '' })).toEqual({
    studyApiUrl: new URL(url),
    studyApiTimeoutMs: 600_000,
    studyApiConnectTimeoutMs: 1,
    studyApiMaxAnswerBytes: 1024,
    studyApiAnswerBudgetBytes: 2048,
    studyApiMaxCalls: 1,
    studyApiMaxQueue: 0,
    studyApiCircuitOpenMs: 2500,
    authMode: 'service',
    studyApiToken: 'token',
    studyApiTokenFile: '/run/secrets/token',
    jwtJwksUrl: new URL('https://issuer.example.com/keys?p=1'),
    jwtIssuer: 'https://issuer.example.com/',
    jwtAudience: 'study-gateway',
    jwtAlgorithms: ['PS256', 'Ed25519'],
    jwtClockSkewSeconds: 0,
    jwtJwksMaxStaleHours: 720,
    jwtWriteScope: 'studies:write',
    apiKeys: [
      { name: 'ci', sha256: 'a'.repeat(64), mayWrite: true },
      { name: 'board', sha256: 'b'.repeat(64), mayWrite: false },
    ],
    redisUrl: new URL('rediss://user:secret@redis.example.com:6380/2'),
    idempotencyTtlHours: 1,
    idempotencyMaxKeys: 10,
    idempotencyMaxBytes: 0,
    host: '0.0.0.0',
    port: 0,
    reusePort: true,
    allowedHosts: ['studies.example', 'localhost:4000'],
    corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
    maxBodyBytes: 2048,
    maxDocumentLength: 3000,
    maxDocumentTokens: 400,
    maxDepth: 7,
    maxAliases: 0,
    maxDirectives: 1,
    maxMutationFields: 2,
    maxListedStudies: 70,
    rateLimitRequests: 600,
    rateLimitMutationFields: 2,
    trustProxy: 1,
    trustedDocuments: 'manifest.json',
    maxConnections: 3,
    headersTimeoutMs: 4000,
    requestTimeoutMs: 5000,
    keepAliveTimeoutMs: 5500,
    shutdownGraceMs: 6000,
    emulatorPort: 65_535,
    emulatorDb: ':memory:',
    nodeEnv: 'test',
    isProduction: false,
    sandbox: false,
    explorer: false,
    introspection: false,
    plans: false,
    federation: false,
    metricsPort: 9464,
    logLevel: 'silent',
  });
});

it('turns Sandbox, explorer and introspection off in production', () => {
  expect(readConfig(production)).toEqual({
    ...defaults,
    studyApiUrl: new URL(url),
    nodeEnv: 'production',
    isProduction: true,
    sandbox: false,
    explorer: false,
    introspection: false,
  });
});

it('turns Sandbox or introspection on in production if configured', () => {
  expect(readConfig({ ...production, SANDBOX: 'true' })).toMatchObject({
    sandbox: true,
    introspection: false,
  });
  expect(readConfig({ ...production, INTROSPECTION: 'true' })).toMatchObject({
    sandbox: false,
    introspection: true,
  });
});
