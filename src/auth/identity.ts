import { toLogId } from './log-id.js';

/** Identity of a caller, with its permissions. */
export interface Identity {
  /** Id of the caller: `jwt:<issuer>:<subject>`, `key:<name>` or `anonymous`. */
  readonly callerId: string;
  readonly mayWrite: boolean;
  /** Id that logs show in place of `callerId`; `undefined` for `anonymous`. */
  readonly logId: string | undefined;
}

export function createIdentity(callerId: string, mayWrite: boolean): Identity {
  return { callerId, mayWrite, logId: toLogId(callerId) };
}

/** Identity of every caller when neither JWTs nor API keys are configured. */
export const anonymous: Identity = { callerId: 'anonymous', mayWrite: true, logId: undefined };
