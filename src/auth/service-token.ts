import { readFile } from 'node:fs/promises';
import type { Logger } from '../logger.js';
import { TOKEN_PATTERN } from './bearer-token.js';

export interface ServiceToken {
  readonly current: string;
  close(): void;
}

/** Interval at which the token file is read again. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Reads the token in a file, without surrounding white space, and polls the file for a new token every second. Replace
 * the file atomically, by a rename. While the file is missing or holds no token, the last token remains in use.
 *
 * @throws Error when the first read finds no file or no token
 */
export async function watchServiceToken(path: string, logger: Logger): Promise<ServiceToken> {
  let current = await readToken(path);
  let isBroken = false;
  let isClosed = false;

  const poll = async (): Promise<void> => {
    try {
      const found = await readToken(path);
      if (found !== current) logger.info({}, 'the token of the Study API was changed');
      current = found;
      isBroken = false;
    } catch (error) {
      if (!isBroken) logger.warn({ err: error }, 'the token of the Study API cannot be read');
      isBroken = true;
    }
    if (!isClosed) timer.refresh();
  };
  const timer = setTimeout(() => void poll(), POLL_INTERVAL_MS).unref();

  return {
    get current() {
      return current;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** @throws Error when the file cannot be read, or holds no token */
export async function readToken(path: string): Promise<string> {
  const token = (await readFile(path, 'utf8')).trim();
  if (!TOKEN_PATTERN.test(token)) throw new Error('the file holds no bearer token of RFC 6750');
  return token;
}
