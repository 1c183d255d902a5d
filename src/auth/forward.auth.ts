import { hash } from 'node:crypto';
import type { Caller } from '../study/study.api.js';
import type { Auth } from './auth.js';
import { toLogId } from './log-id.js';

/** Passes the caller's token on to the Study API, which judges the token. */
export const forwardAuth: Auth = {
  isOpen: false,
  toCaller: (requestId, readToken) => new ForwardedCaller(requestId, readToken),
  close: () => {},
};

class ForwardedCaller implements Caller {
  readonly requestId: string;
  readonly #readToken: () => string;
  /** Kept, since both the call and the log read the token. */
  #token: string | undefined;

  constructor(requestId: string, readToken: () => string) {
    this.requestId = requestId;
    this.#readToken = readToken;
  }

  token(): string {
    return (this.#token ??= this.#readToken());
  }

  callerId(): string {
    return hash('sha256', this.token(), 'base64url');
  }

  logId(): string | undefined {
    try {
      return toLogId(this.token());
    } catch {
      // The call that needs the token says why there is none.
      return undefined;
    }
  }
}
