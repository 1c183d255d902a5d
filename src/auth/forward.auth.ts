import { hash } from 'node:crypto';
import type { Caller } from '../study/study.api.js';
import type { Auth } from './auth.js';
import { toLogId } from './log-id.js';

/** The caller's token is the Study API's, which judges it. */
export const forwardAuth: Auth = {
  isOpen: false,
  toCaller: (requestId, readToken) => new ForwardedCaller(requestId, readToken),
  close: () => {},
};

class ForwardedCaller implements Caller {
  readonly requestId: string;
  readonly #readToken: () => string;
  /** It is asked for more than once: for the call, and for the log. */
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
      // Who needs the token says so.
      return undefined;
    }
  }
}
