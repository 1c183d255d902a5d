import { z } from 'zod';

/** An environment variable. The message of `schema` says which values are valid. */
export interface Variable<Value = unknown> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  /** Part of the value that no log line may show: all of it, or everything of a URL but its host. */
  readonly secret: 'value' | 'beyond the host' | undefined;
}

export function variable<Value>(
  name: string,
  schema: z.ZodType<Value>,
  secret?: Variable['secret'],
): Variable<Value> {
  return { name, schema, secret };
}

/** Returns the schema of a whole number from `min` to `max`, in decimal digits. */
export function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

export function oneOf<Word extends string>(...words: readonly Word[]) {
  // Not by `Intl.ListFormat`, which takes 16 ms of each start.
  return z.enum(words, `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
}

export const flag = oneOf('true', 'false').transform((value) => value === 'true');

/** Returns the schema of a list in which each entry must fulfil `isValid`. */
function listOf(expected: string, isValid: (entry: string) => boolean) {
  return z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .refine((entries) => entries.every(isValid), `${expected}, separated by commas`);
}

/** Origins of pages. `*` in place of the first label stands for any one label. */
export const origins = listOf(
  'origins such as https://app.example.com or https://*.preview.example.com',
  (text) => {
    // Below two labels: a pattern of all hosts of a top-level domain is a mistake.
    const origin = text.replace(/^(https?:\/\/)\*(?=(\.[\w-]+){2})/, '$1any');
    // URLs take characters such as + and $ in a host, which no host name has.
    return /^https?:\/\/[\w.:[\]-]+$/.test(origin) && URL.parse(origin)?.origin === origin;
  },
);

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http or https URL' })
  .transform((text) => new URL(text));

export const apiUrl = httpUrl.refine(
  ({ username, password, search, hash }) => !(username || password || search || hash),
  'a URL without a user, a query or a fragment',
);

export const jwksUrl = httpUrl.refine(
  ({ username, password }) => !(username || password),
  'a URL without a user',
);

const expectedRedisUser =
  'a URL whose user and password are percent-encoded UTF-8: a % in them is %25';

export const redisUrl = z
  .url({ protocol: /^rediss?$/, error: 'a redis or rediss URL' })
  .transform((text) => new URL(text))
  .refine(({ pathname }) => /^\/?\d*$/.test(pathname), 'a URL whose path is a database number')
  .refine(({ hostname }) => hostname !== '', 'a URL with a host')
  .refine(({ search }) => search === '', 'a URL without a query')
  .refine(({ username, password }) => [username, password].every(isDecodable), expectedRedisUser);

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Asymmetric algorithms only: with a symmetric one, whoever can verify a token can also forge one. */
const algorithms = 'RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519';
export const jwtAlgorithms = listOf(`of ${algorithms}`, (name) =>
  algorithms.split(', ').includes(name),
);

const API_KEY = /^(?<name>[\w.-]{1,64}):(?<sha256>[0-9a-f]{64})(?<readOnly>:read)?$/i;
const expectedKeys =
  'name:sha256 or name:sha256:read, separated by commas, each name and hash once';

export const apiKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => API_KEY.exec(key.trim())?.groups))
  .refine(
    (keys) =>
      keys.every(Boolean) &&
      new Set(keys.map((key) => key?.['name'])).size === keys.length &&
      new Set(keys.map((key) => key?.['sha256']?.toLowerCase())).size === keys.length,
    expectedKeys,
  )
  .transform((keys) =>
    keys.map(({ name = '', sha256 = '', readOnly } = {}) => ({
      name,
      sha256: sha256.toLowerCase(),
      mayWrite: readOnly === undefined,
    })),
  );

/** Maximum length of a bearer token, in bytes. */
export const MAX_TOKEN_LENGTH = 8192;

/** Characters of a bearer token (RFC 6750 §2.1), which may be followed by any number of `=`. */
export const TOKEN_CHARACTERS = String.raw`[A-Za-z0-9\-._~+/]`;

/** Matches a bearer token for the Study API, as an operator configures it. */
export const TOKEN_PATTERN = new RegExp(`^${TOKEN_CHARACTERS}{1,${MAX_TOKEN_LENGTH}}=*$`);
