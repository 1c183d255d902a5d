import { z } from 'zod';
import {
  apiKeys,
  apiUrl,
  flag,
  hostNames,
  isOrigin,
  jwksUrl,
  jwtAlgorithms,
  otlpProtocol,
  redisUrl,
  resourceAttributes,
  share,
  TOKEN_PATTERN,
  wholeNumber,
} from './config.values.js';

/**
 * All environment variables. An empty variable counts as not set. The message of a check says which values are valid;
 * the description says what the variable does. A test compares the variables with docs/configuration.md.
 */
export const environmentSchema = z.object({
  STUDY_API_URL: apiUrl
    .optional()
    .describe('Base URL of the Study API. Without it the emulator is started beside the gateway.'),
  STUDY_API_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(10_000)
    .describe(
      'Deadline of one call, in ms: key, queue, connection, retries, headers and body together.',
    ),
  STUDY_API_CONNECT_TIMEOUT_MS: wholeNumber(1, 60_000)
    .default(2_000)
    .describe('The part of the deadline that one connection may take to be made, in ms.'),
  STUDY_API_MAX_ANSWER_BYTES: wholeNumber(1_024, 1_073_741_824)
    .default(8_388_608)
    .describe('Longest answer of the Study API, before and after decompression.'),
  STUDY_API_ANSWER_BUDGET_BYTES: wholeNumber(1_024, 17_179_869_184)
    .default(33_554_432)
    .describe('Most bytes of long answers and of their responses in memory, and of one response.'),
  STUDY_API_MAX_CALLS: wholeNumber(1, 65_535)
    .default(256)
    .describe('Calls under way at once, and so connections to the Study API.'),
  STUDY_API_MAX_QUEUE: wholeNumber(0, 65_535)
    .default(256)
    .describe('Calls that may wait for one of those to end; the next one is `OVERLOADED`.'),
  STUDY_API_CIRCUIT_OPEN_MS: wholeNumber(1, 600_000)
    .default(5_000)
    .describe('How long the circuit breaker stays open before it lets one call through, in ms.'),
  AUTH_MODE: z
    .enum(['forward', 'service'], 'forward or service')
    .default('forward')
    .describe("Whose token the Study API gets: the caller's, or with `service` the gateway's own."),
  STUDY_API_TOKEN: z
    .string()
    .regex(TOKEN_PATTERN, 'a bearer token of RFC 6750')
    .optional()
    .describe("The gateway's own token for the Study API."),
  STUDY_API_TOKEN_FILE: z
    .string()
    .optional()
    .describe(
      'A file with that token, in place of it; what is renamed onto it counts within a second.',
    ),
  JWT_JWKS_URL: jwksUrl
    .optional()
    .describe("Where the issuer of the callers' JWTs publishes its keys."),
  JWT_ISSUER: z.string().optional().describe('The `iss` that they must have.'),
  JWT_AUDIENCE: z
    .string()
    .optional()
    .describe('The `aud` that they must have, or have among others.'),
  JWT_ALGORITHMS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .refine(
      (names) => names.every((name) => jwtAlgorithms.has(name)),
      `of ${[...jwtAlgorithms].join(', ')}, parted by commas`,
    )
    .default(['RS256', 'ES256', 'EdDSA'])
    .describe('How they may be signed.'),
  JWT_CLOCK_SKEW_SECONDS: wholeNumber(0, 600)
    .default(60)
    .describe("By how much their issuer's clock may differ, in seconds."),
  JWT_JWKS_MAX_STALE_HOURS: wholeNumber(1, 720)
    .default(24)
    .describe('How long the keys of an issuer are used while it gives no newer ones, in hours.'),
  JWT_WRITE_SCOPE: z
    .string()
    .regex(/^[!#-[\]-~]+$/, 'one scope')
    .optional()
    .describe('The scope that a write needs, in `scope` or `scp`. Without it every JWT may write.'),
  API_KEYS: apiKeys
    .default([])
    .describe("Callers' keys as `name:sha256`, in hex; with `:read` behind it one may read only."),
  REDIS_URL: redisUrl
    .optional()
    .describe('Redis or Valkey, for what gateways share. Without it each keeps its own in memory.'),
  IDEMPOTENCY_TTL_HOURS: wholeNumber(1, 720)
    .default(24)
    .describe('How long an idempotency key is held, in hours from its first call.'),
  IDEMPOTENCY_MAX_KEYS: wholeNumber(1, 10_000_000)
    .default(100_000)
    .describe('Most idempotency keys in memory, about half of them of one caller. Not with Redis.'),
  IDEMPOTENCY_MAX_BYTES: wholeNumber(0, 17_179_869_184)
    .default(134_217_728)
    .describe(
      'Most bytes of answers kept for them; more are remembered as `APPLIED`. Not with Redis.',
    ),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. Of a name: its first address, IPv4 preferred.'),
  ALLOWED_HOSTS: hostNames
    .default([])
    .describe(
      'Names that requests may have as `Host` where callers prove nothing, besides IP addresses, `localhost` and `HOST`.',
    ),
  PORT: wholeNumber(0, 65_535).default(4000).describe('Port of the gateway; 0 takes any free one.'),
  REUSE_PORT: flag
    .default(false)
    .describe('Whether other processes may listen on the same port; the kernel balances them.'),
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
  MAX_LISTED_STUDIES: wholeNumber(1, 100_000)
    .default(500)
    .describe('Most studies that the lists of one operation may ask for; 50 without a `size`.'),
  RATE_LIMIT_REQUESTS: wholeNumber(0, 1_000_000)
    .default(0)
    .describe('Most requests of one caller in a minute; 0 sets no limit.'),
  RATE_LIMIT_MUTATION_FIELDS: wholeNumber(0, 1_000_000)
    .default(0)
    .describe("Most root fields of a caller's mutations in a minute; 0 sets no limit."),
  TRUST_PROXY: wholeNumber(0, 10)
    .default(0)
    .describe('Proxies in front, whose `X-Forwarded-For` says the address of who has no token.'),
  TRUSTED_DOCUMENTS: z
    .string()
    .optional()
    .describe('A manifest of the documents that may run, and no others. Without it all may.'),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe('Most connections of clients at once.'),
  HEADERS_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(10_000)
    .describe('Time for the headers of a request to arrive, in ms.'),
  REQUEST_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(30_000)
    .describe('Time for a whole request to arrive, in ms.'),
  KEEP_ALIVE_TIMEOUT_MS: wholeNumber(1, 3_600_000)
    .default(72_000)
    .describe(
      'Time that a connection may be idle, in ms; longer than a balancer in front keeps it.',
    ),
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
  PLANS: flag
    .default(true)
    .describe(
      'Whether operations are executed by plans. `false` leaves all of them to graphql-js.',
    ),
  FEDERATION: flag
    .default(false)
    .describe('Whether the schema is an Apollo Federation 2 subgraph, for a router in front.'),
  METRICS_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe(
      'Port of `/metrics` and of the health paths, for operators; 0 takes any free one. Without it there are no metrics.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'an http or https URL' })
    .optional()
    .describe('Base URL of an OpenTelemetry collector that takes traces over OTLP/HTTP.'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'an http or https URL' })
    .optional()
    .describe('Whole URL that takes the traces, in place of `v1/traces` below that one.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol
    .optional()
    .describe('How traces are sent. Only `http/protobuf` works, and is the default.'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol.optional().describe('The same.'),
  OTEL_SDK_DISABLED: flag.default(false).describe('Whether traces are off all the same.'),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .describe('What the traces call the gateway. Default: `study-gateway`.'),
  OTEL_RESOURCE_ATTRIBUTES: resourceAttributes
    .optional()
    .describe('What else they say of it: `name=value,…`, percent-encoded.'),
  OTEL_TRACES_SAMPLER: z
    .enum(
      [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ],
      'always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off or parentbased_traceidratio',
    )
    .default('parentbased_traceidratio')
    .describe('Which traces are recorded; `parentbased_` leaves it to who has begun one.'),
  OTEL_TRACES_SAMPLER_ARG: share
    .default(1)
    .describe('The share that `traceidratio` records, from 0 to 1.'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .describe('The least severe log line that is written.'),
});

/** Variables that no log line may show: either the whole value, or everything of a URL but its host. */
export const secrets = new Map<string, 'value' | 'beyond the host'>([
  ['STUDY_API_TOKEN', 'value'],
  ['API_KEYS', 'value'],
  ['JWT_JWKS_URL', 'beyond the host'],
  ['REDIS_URL', 'beyond the host'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'beyond the host'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'beyond the host'],
]);
