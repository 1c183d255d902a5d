import { createIdentity, type Identity } from './identity.js';

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
