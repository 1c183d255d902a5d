import { toLogId } from './caller.js';

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

export interface ApiKey {
  readonly name: string;
  /** SHA-256 of the API key, in lower-case hex. The gateway never holds the key itself. */
  readonly sha256: string;
  readonly mayWrite: boolean;
}

/** Returns the owners of API keys, by the SHA-256 of the key: the time of a lookup reveals nothing about a key. */
export function createApiKeys(keys: readonly ApiKey[]): ReadonlyMap<string, Identity> {
  return new Map(
    keys.map(({ name, sha256, mayWrite }) => [sha256, createIdentity(`key:${name}`, mayWrite)]),
  );
}
