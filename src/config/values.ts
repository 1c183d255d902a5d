import * as z from 'zod';

/** An environment variable. The message of `schema` says which values are valid. */
export interface Variable<Value = unknown> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
}

export function variable<Value>(name: string, schema: z.ZodType<Value>): Variable<Value> {
  return { name, schema };
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

const expectedOrigins =
  'origins such as https://app.example.com or https://*.preview.example.com, separated by commas';

/** Origins of pages. `*` in place of the first label stands for any one label. */
export const origins = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .refine((entries) => entries.every(isOrigin), expectedOrigins);

function isOrigin(text: string): boolean {
  // Below two labels: a pattern of all hosts of a top-level domain is a mistake.
  const origin = text.replace(/^(https?:\/\/)\*(?=(\.[\w-]+){2})/, '$1any');
  // URLs take characters such as + and $ in a host, which no host name has.
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) && URL.parse(origin)?.origin === origin;
}

function urlOf(protocol: RegExp, expected: string, isValid: (url: URL) => boolean) {
  return z
    .string()
    .transform((text) => URL.parse(text))
    .refine((url) => url !== null && protocol.test(url.protocol) && isValid(url), expected)
    .transform((url) => url!);
}

export const apiUrl = urlOf(
  /^https?:$/,
  'an http or https URL without a user, a query or a fragment',
  ({ username, password, search, hash }) => !(username || password || search || hash),
);

export const jwksUrl = urlOf(
  /^https?:$/,
  'an http or https URL without a user',
  ({ username, password }) => !(username || password),
);

export const redisUrl = urlOf(
  /^rediss?:$/,
  'a URL such as redis://user:password@host:6379/0',
  (url) => url.hostname !== '' && !url.search && /^\/?\d*$/.test(url.pathname),
);

const API_KEY = /^(?<name>[\w.-]{1,64}):(?<sha256>[0-9a-f]{64})(?<readOnly>:read)?$/i;

export const apiKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => API_KEY.exec(key.trim())?.groups ?? {}))
  .transform((keys) =>
    keys.map(({ name = '', sha256 = '', readOnly }) => ({
      name,
      sha256: sha256.toLowerCase(),
      mayWrite: readOnly === undefined,
    })),
  )
  .refine(
    (keys) =>
      keys.every(({ name }) => name !== '') &&
      new Set(keys.flatMap(({ name, sha256 }) => [name, sha256])).size === 2 * keys.length,
    'name:sha256 or name:sha256:read, separated by commas, each name and hash once',
  );

/** Characters of a bearer token (RFC 6750 §2.1), which may be followed by any number of `=`. */
export const TOKEN_CHARACTERS = String.raw`[A-Za-z0-9\-._~+/]`;

/** Matches a bearer token for the Study API, as an operator configures it. */
export const TOKEN_PATTERN = new RegExp(`^${TOKEN_CHARACTERS}+=*$`);
