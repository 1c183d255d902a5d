import { readFile } from 'node:fs/promises';
import type { AuthLogger } from './auth.js';

export interface ServiceToken {
  readonly current: string;
  close(): void;
}

/** RFC 6750 §2.1, up to 8 KiB. */
const TOKEN = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;
/** How long a new token in the file may go unseen. */
const LOOK_MS = 1_000;

/**
 * The token in a file, whose surrounding white space does not count. It is read again every second, so it has to be
 * replaced in one step, by a rename. While the file is away or holds no token, the last one stands.
 *
 * @throws Error when there is no token at the start
 */
export async function watchServiceToken(path: string, logger: AuthLogger): Promise<ServiceToken> {
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

async function readToken(path: string): Promise<string> {
  const token = (await readFile(path, 'utf8')).trim();
  if (!TOKEN.test(token)) throw new Error('the file holds no bearer token of RFC 6750');
  return token;
}
