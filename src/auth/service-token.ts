import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { ConfigError } from '../config/config.js';
import { TOKEN_PATTERN } from '../config/values.js';
import { watchFiles, type Watched } from '../config/watched-file.js';

export type ServiceToken = Watched<string>;

/**
 * Reads the token in a file, without surrounding white space, and polls the file for a new token every second. Replace
 * the file atomically, by a rename. While the file is missing or holds no token, the last token remains in use.
 *
 * @throws ConfigError when the first read finds no file or no token
 */
export function watchServiceToken(path: string, logger: Logger): Promise<ServiceToken> {
  return watchFiles(
    [path],
    () => readTokenFile(path),
    () => logger.info({}, 'the token of the Study API was changed'),
    (error) => logger.warn({ err: error }, 'the token of the Study API cannot be read'),
  );
}

/**
 * Reads the file of `STUDY_API_TOKEN_FILE`.
 *
 * @throws ConfigError when the file cannot be read, or holds no token
 */
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
