import { z } from 'zod';
import {
  apiKeys,
  apiUrl,
  flag,
  hostNames,
  jwksUrl,
  jwtAlgorithms,
  oneOf,
  origins,
  redisUrl,
  TOKEN_PATTERN,
  variable,
  type Variable,
  wholeNumber,
} from './config.values.js';

/**
 * All environment variables, by the part of the configuration and the option that they set. An empty variable counts as
 * not set. A test compares the variables with docs/configuration.md.
 */
export const variables = {
  rest: {
    baseUrl: variable('STUDY_API_URL', apiUrl.optional()).describe(
      'Base URL of the Study API. Without it the emulator is started beside the gateway.',
    ),
    deadlineMs: variable('STUDY_API_TIMEOUT_MS', wholeNumber(1, 600_000).default(10_000)).describe(
      'Deadline of one call, in ms: key, queue, connection, retries, headers and body together.',
    ),
    maxAnswerBytes: variable(
      'STUDY_API_MAX_ANSWER_BYTES',
      wholeNumber(1_024, 1_073_741_824).default(8_388_608),
    ).describe('Longest answer of the Study API, before and after decompression.'),
    answerBudgetBytes: variable(
      'STUDY_API_ANSWER_BUDGET_BYTES',
      wholeNumber(1_024, 17_179_869_184).default(33_554_432),
    ).describe('Most bytes of long answers and of their responses in memory, and of one response.'),
    maxCalls: variable('STUDY_API_MAX_CALLS', wholeNumber(1, 65_535).default(256)).describe(
      'Calls under way at once, and so connections to the Study API.',
    ),
    maxQueue: variable('STUDY_API_MAX_QUEUE', wholeNumber(0, 65_535).default(256)).describe(
      'Calls that may wait for one of those to end; the next one is `OVERLOADED`.',
    ),
  },
  auth: {
    authMode: variable('AUTH_MODE', oneOf('forward', 'service').default('forward')).describe(
      "Whose token the Study API gets: the caller's, or with `service` the gateway's own.",
    ),
    studyApiToken: variable(
      'STUDY_API_TOKEN',
      z.string().regex(TOKEN_PATTERN, 'a bearer token of RFC 6750').optional(),
    ).describe("The gateway's own token for the Study API.", 'value'),
    studyApiTokenFile: variable('STUDY_API_TOKEN_FILE', z.string().optional()).describe(
      'A file with that token, in place of it; what is renamed onto it counts within a second.',
    ),
    jwtJwksUrl: variable('JWT_JWKS_URL', jwksUrl.optional()).describe(
      "Where the issuer of the callers' JWTs publishes its keys.",
      'beyond the host',
    ),
    jwtIssuer: variable('JWT_ISSUER', z.string().optional()).describe(
      'The `iss` that they must have.',
    ),
    jwtAudience: variable('JWT_AUDIENCE', z.string().optional()).describe(
      'The `aud` that they must have, or have among others.',
    ),
    jwtAlgorithms: variable(
      'JWT_ALGORITHMS',
      jwtAlgorithms.default(['RS256', 'ES256', 'EdDSA']),
    ).describe('How they may be signed.'),
    jwtWriteScope: variable(
      'JWT_WRITE_SCOPE',
      z
        .string()
        .regex(/^[!#-[\]-~]+$/, 'one scope')
        .optional(),
    ).describe(
      'The scope that a write needs, in `scope` or `scp`. Without it every JWT may write.',
    ),
    apiKeys: variable('API_KEYS', apiKeys.default([])).describe(
      "Callers' keys as `name:sha256`, in hex; with `:read` behind it one may read only.",
      'value',
    ),
  },
  shared: {
    redisUrl: variable('REDIS_URL', redisUrl.optional()).describe(
      'Redis or Valkey, for what gateways share. Without it each keeps its own in memory.',
      'beyond the host',
    ),
  },
  keys: {
    ttlHours: variable('IDEMPOTENCY_TTL_HOURS', wholeNumber(1, 720).default(24)).describe(
      'How long an idempotency key is held, in hours from its first call.',
    ),
  },
  http: {
    host: variable('HOST', z.string().default('127.0.0.1')).describe(
      'Address to listen on. Of a name: its first address, IPv4 preferred.',
    ),
    allowedHosts: variable('ALLOWED_HOSTS', hostNames.default([])).describe(
      'Names that requests may have as `Host` where callers prove nothing, besides IP addresses, `localhost` and `HOST`.',
    ),
    port: variable('PORT', wholeNumber(0, 65_535).default(4000)).describe(
      'Port of the gateway; 0 takes any free one.',
    ),
    reusePort: variable('REUSE_PORT', flag.default(false)).describe(
      'Whether other processes may listen on the same port; the kernel balances them.',
    ),
    corsOrigins: variable('CORS_ORIGINS', origins.default([])).describe(
      'Origins whose pages may read answers; outside production also Sandbox and this machine.',
    ),
    maxBodyBytes: variable(
      'MAX_BODY_BYTES',
      wholeNumber(1_024, 104_857_600).default(1_048_576),
    ).describe('Longest request body.'),
    trustProxy: variable('TRUST_PROXY', wholeNumber(0, 10).default(0)).describe(
      'Proxies in front, whose `X-Forwarded-For` says the address of who has no token.',
    ),
    maxConnections: variable('MAX_CONNECTIONS', wholeNumber(1, 1_000_000).default(10_000)).describe(
      'Most connections of clients at once.',
    ),
    requestTimeoutMs: variable(
      'REQUEST_TIMEOUT_MS',
      wholeNumber(1, 600_000).default(30_000),
    ).describe('Time for a whole request to arrive, in ms.'),
    keepAliveTimeoutMs: variable(
      'KEEP_ALIVE_TIMEOUT_MS',
      wholeNumber(1, 3_600_000).default(72_000),
    ).describe(
      'Time that a connection may be idle, in ms; longer than a balancer in front keeps it.',
    ),
    shutdownGraceMs: variable(
      'SHUTDOWN_GRACE_MS',
      wholeNumber(0, 600_000).default(15_000),
    ).describe('Time that requests under way have to end when the gateway stops, in ms.'),
  },
  limits: {
    maxDocumentTokens: variable(
      'MAX_DOCUMENT_TOKENS',
      wholeNumber(1, 100_000).default(1_000),
    ).describe('Most tokens of a document.'),
    maxAliases: variable('MAX_ALIASES', wholeNumber(0, 10_000).default(15)).describe(
      'Most fields with an alias, through fragments.',
    ),
    maxMutationFields: variable('MAX_MUTATION_FIELDS', wholeNumber(1, 10_000).default(5)).describe(
      'Most root fields of one mutation: each is a REST call.',
    ),
    maxListedStudies: variable('MAX_LISTED_STUDIES', wholeNumber(1, 100_000).default(500)).describe(
      'Most studies that the lists of one operation may ask for; 50 without a `size`.',
    ),
    rateLimitRequests: variable(
      'RATE_LIMIT_REQUESTS',
      wholeNumber(0, 1_000_000).default(0),
    ).describe('Most requests of one caller in a minute; 0 sets no limit.'),
    rateLimitMutationFields: variable(
      'RATE_LIMIT_MUTATION_FIELDS',
      wholeNumber(0, 1_000_000).default(0),
    ).describe("Most root fields of a caller's mutations in a minute; 0 sets no limit."),
    trustedDocuments: variable('TRUSTED_DOCUMENTS', z.string().optional()).describe(
      'A manifest of the documents that may run, and no others. Without it all may.',
    ),
  },
  emulator: {
    port: variable('EMULATOR_PORT', wholeNumber(0, 65_535).default(4010)).describe(
      'Port of the emulator; 0 takes any free one.',
    ),
    database: variable('EMULATOR_DB', z.string().default('.data/emulator.sqlite')).describe(
      'Where the emulator keeps its studies: a file, or `:memory:`.',
    ),
  },
  process: {
    nodeEnv: variable(
      'NODE_ENV',
      oneOf('development', 'production', 'test').default('development'),
    ).describe(
      '`production` turns Sandbox, explorer and introspection off, and needs `STUDY_API_URL`.',
    ),
    logLevel: variable(
      'LOG_LEVEL',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
    ).describe('The least severe log line that is written.'),
  },
  graphql: {
    sandbox: variable('SANDBOX', flag.optional()).describe(
      'Whether browsers get Apollo Sandbox at `/graphql`. Default: not in production.',
    ),
    explorer: variable('EXPLORER', flag.optional()).describe(
      'Whether `/explorer` is there, which needs no network. Default: not in production.',
    ),
    introspection: variable('INTROSPECTION', flag.optional()).describe(
      'Whether clients may read the schema. Default: not in production.',
    ),
    plans: variable('PLANS', flag.default(true)).describe(
      'Whether operations are executed by plans. `false` leaves all of them to graphql-js.',
    ),
    federation: variable('FEDERATION', flag.default(false)).describe(
      'Whether the schema is an Apollo Federation 2 subgraph, for a router in front.',
    ),
  },
  telemetry: {
    metricsPort: variable('METRICS_PORT', wholeNumber(0, 65_535).optional()).describe(
      'Port of `/metrics` and of the health paths, for operators; 0 takes any free one. Without it there are no metrics.',
    ),
  },
};

export const allVariables = Object.values(variables).flatMap((part): Variable[] =>
  Object.values(part),
);

/** Constants that replaced variables of version 0.2, by the name of the variable. */
export const removedVariables: Readonly<Record<string, string>> = {
  STUDY_API_CONNECT_TIMEOUT_MS: '2000',
  STUDY_API_CIRCUIT_OPEN_MS: '5000',
  JWT_CLOCK_SKEW_SECONDS: '60',
  JWT_JWKS_MAX_STALE_HOURS: '24',
  IDEMPOTENCY_MAX_KEYS: '100000',
  IDEMPOTENCY_MAX_BYTES: '134217728',
  MAX_DOCUMENT_LENGTH: '20000',
  MAX_DEPTH: '15',
  MAX_DIRECTIVES: '10',
  HEADERS_TIMEOUT_MS: '10000',
};
