import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '../config/config.js';
import { TOKEN_PATTERN } from '../config/values.js';
import { watchFiles, type Watched } from '../config/watched-file.js';
import { refused, type Auth, type CallerIdentity } from './caller.js';
import { createJwtVerifier, type JwtOptions } from './jwt.js';

export type AuthOptions = JwtOptions & {
  /** Token of the emulator; used when neither `studyApiToken` nor `studyApiTokenFile` is set. */
  readonly demoToken?: string | undefined;
};

/**
 * Creates the authentication of the mode `service`: callers authenticate by JWT or API key, and the Study API gets the
 * gateway's own token.
 *
 * @throws ConfigError when no token for the Study API is set or readable
 */
export async function createServiceAuth(options: AuthOptions): Promise<Auth> {
  const jwt = createJwtVerifier(options);
  // Found by the hash of a key: the time of a lookup reveals nothing about a key.
  const owners = new Map(
    options.apiKeys.map(({ name, sha256, mayWrite }): [string, CallerIdentity] => [
      sha256,
      { callerId: `key:${name}`, mayWrite, claims: {} },
    ]),
  );
  const serviceToken = await openServiceToken(options);

  return {
    authenticate(token) {
      const sha256 = hash('sha256', token);
      const identity = owners.get(sha256) ?? jwt?.verify(token, sha256);
      if (!identity) throw refused('The API key is not known.');
      return identity;
    },
    toApiToken: () => serviceToken.current,
    hasIssuerKeys: jwt?.hasKeys ?? (async () => true),
    close() {
      jwt?.close();
      serviceToken.close();
    },
  };
}

/**
 * Opens the gateway's own token. A file takes precedence over `STUDY_API_TOKEN`, and is polled for a new token every second:
 * replace it atomically, by a rename. While the file is missing or holds no token, the last token remains in use.
 */
async function openServiceToken(options: AuthOptions): Promise<Watched<string>> {
  const { studyApiTokenFile: path, studyApiToken, demoToken, logger } = options;
  if (path !== undefined)
    return watchFiles(
      [path],
      () => readTokenFile(path),
      () => logger.info({}, 'the token of the Study API was changed'),
      (error) => logger.warn({ err: error }, 'the token of the Study API cannot be read'),
    );
  const current = studyApiToken ?? demoToken;
  if (current === undefined) throw new ConfigError('STUDY_API_TOKEN is not set.');
  return { current, close: () => {} };
}

async function readTokenFile(path: string): Promise<string> {
  try {
    const token = (await readFile(path, 'utf8')).trim();
    if (TOKEN_PATTERN.test(token)) return token;
    throw new Error('the file holds no bearer token of RFC 6750');
  } catch (cause) {
    const message = 'STUDY_API_TOKEN_FILE: the file cannot be read, or holds no bearer token.';
    throw new ConfigError(message, { cause });
  }
}
