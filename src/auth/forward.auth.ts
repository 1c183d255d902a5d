import { hash } from 'node:crypto';
import { toLogId, type Auth, type Caller } from './caller.js';

/** Sends the caller's own token to the Study API, which validates the token. */
export const forwardAuth: Auth = {
  isOpen: false,
  toCaller: (readToken) => new ForwardedCaller(readToken),
  close: () => {},
};

class ForwardedCaller implements Caller {
  /** Cached, because both the REST call and the log need the token. */
  #token: string | undefined;

  constructor(private readonly readToken: () => string) {}

  token(): string {
    return (this.#token ??= this.readToken());
  }

  callerId(): string {
    return hash('sha256', this.token(), 'base64url');
  }

  logId(): string | undefined {
    try {
      return toLogId(this.token());
    } catch {
      // Ignored here: the REST call, which needs the token too, reports the error.
      return undefined;
    }
  }
}
