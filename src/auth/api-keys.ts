import { hash } from 'node:crypto';
import type { Identity } from './identity.js';

export interface ApiKey {
  readonly name: string;
  /** Of the key, in lower case hex. The key itself is not kept. */
  readonly sha256: string;
  readonly mayWrite: boolean;
}

/**
 * Finds whose key a token is; `undefined` for nobody's. It is looked up by its hash, so that the time this takes
 * tells nothing of a key.
 */
export function createApiKeys(keys: readonly ApiKey[]): (token: string) => Identity | undefined {
  const identities = new Map<string, Identity>(
    keys.map(({ name, sha256, mayWrite }) => [sha256, { callerId: `key:${name}`, mayWrite }]),
  );
  return (token) => identities.get(hash('sha256', token));
}
