import { readFile } from 'node:fs/promises';
import type { Logger } from '../logger.js';
import { TOKEN_PATTERN } from './bearer-token.js';

export interface ServiceToken {
  readonly current: string;
  close(): void;
}

/** Time between two looks at the file, in ms. */
const LOOK_MS = 1_000;

/**
 * The token in a file, without surrounding white space. The file is read again every second, and must be replaced in
 * one step, by a rename. While the file is away or holds no token, the last token remains in use.
 *
 * @throws Error when there is no token at the start
 */
export async function watchServiceToken(path: string, logger: Logger): Promise<ServiceToken> {
  let current = await readToken(path);
  let isBroken = false;
  let isClosed = false;

  const look = async (): Promise<void> => {
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
  const timer = setTimeout(() => void look(), LOOK_MS).unref();

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
