import * as z from 'zod';
import {
  apiKeys,
  apiUrl,
  flag,
  jwksUrl,
  oneOf,
  origins,
  redisUrl,
  TOKEN_PATTERN,
  variable,
  type Variable,
  wholeNumber,
} from './values.js';

/**
 * All environment variables, by the part of the configuration and the option that they set. docs/configuration.md, which a
 * test compares with this list, says what each variable means. With `AUTH_MODE=forward` every variable of `auth` but
 * `AUTH_MODE` is refused. Those of `graphql` must be flags.
 */
export const variables = {
  rest: {
    baseUrl: variable('STUDY_API_URL', apiUrl.optional()),
    contractFile: variable('STUDY_API_CONTRACT', z.string().optional()),
    deadlineMs: variable('STUDY_API_TIMEOUT_MS', wholeNumber(1, 600_000).default(10_000)),
    maxAnswerBytes: variable(
      'STUDY_API_MAX_ANSWER_BYTES',
      wholeNumber(1_024, 1_073_741_824).default(4_194_304),
    ),
    maxCalls: variable('STUDY_API_MAX_CALLS', wholeNumber(1, 65_535).default(256)),
  },
  auth: {
    authMode: variable('AUTH_MODE', oneOf('forward', 'service').default('forward')),
    studyApiToken: variable(
      'STUDY_API_TOKEN',
      z.string().regex(TOKEN_PATTERN, 'a bearer token of RFC 6750').optional(),
    ),
    studyApiTokenFile: variable('STUDY_API_TOKEN_FILE', z.string().optional()),
    jwtJwksUrl: variable('JWT_JWKS_URL', jwksUrl.optional()),
    jwtIssuer: variable('JWT_ISSUER', z.string().optional()),
    jwtAudience: variable('JWT_AUDIENCE', z.string().optional()),
    jwtWriteScope: variable(
      'JWT_WRITE_SCOPE',
      z
        .string()
        .regex(/^[!#-[\]-~]+$/, 'one scope')
        .optional(),
    ),
    apiKeys: variable('API_KEYS', apiKeys.default([])),
  },
  shared: {
    redisUrl: variable('REDIS_URL', redisUrl.optional()),
  },
  http: {
    host: variable('HOST', z.string().default('127.0.0.1')),
    port: variable('PORT', wholeNumber(0, 65_535).default(4000)),
    reusePort: variable('REUSE_PORT', flag.default(false)),
    corsOrigins: variable('CORS_ORIGINS', origins.default([])),
    maxBodyBytes: variable('MAX_BODY_BYTES', wholeNumber(1_024, 104_857_600).default(262_144)),
    trustProxy: variable('TRUST_PROXY', wholeNumber(0, 10).default(0)),
    maxConnections: variable('MAX_CONNECTIONS', wholeNumber(1, 1_000_000).default(4_000)),
    requestTimeoutMs: variable('REQUEST_TIMEOUT_MS', wholeNumber(1, 600_000).default(10_000)),
    keepAliveTimeoutMs: variable(
      'KEEP_ALIVE_TIMEOUT_MS',
      wholeNumber(1, 3_600_000).default(72_000),
    ),
    shutdownGraceMs: variable('SHUTDOWN_GRACE_MS', wholeNumber(0, 600_000).default(15_000)),
  },
  limits: {
    rateLimitRequests: variable('RATE_LIMIT_REQUESTS', wholeNumber(0, 1_000_000).default(0)),
    rateLimitMutationFields: variable(
      'RATE_LIMIT_MUTATION_FIELDS',
      wholeNumber(0, 1_000_000).default(0),
    ),
    trustedDocuments: variable('TRUSTED_DOCUMENTS', z.string().optional()),
  },
  emulator: {
    port: variable('EMULATOR_PORT', wholeNumber(0, 65_535).default(4010)),
    database: variable('EMULATOR_DB', z.string().default('.data/emulator.sqlite')),
  },
  process: {
    nodeEnv: variable(
      'NODE_ENV',
      oneOf('development', 'production', 'test').default('development'),
    ),
    logLevel: variable(
      'LOG_LEVEL',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
    ),
  },
  graphql: {
    sandbox: variable('SANDBOX', flag.optional()),
    explorer: variable('EXPLORER', flag.optional()),
    introspection: variable('INTROSPECTION', flag.optional()),
    federation: variable('FEDERATION', flag.default(false)),
  },
  telemetry: {
    metricsPort: variable('METRICS_PORT', wholeNumber(0, 65_535).optional()),
  },
};

export const allVariables = Object.values(variables).flatMap((part): Variable[] =>
  Object.values(part),
);
