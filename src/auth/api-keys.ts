import { hash } from 'node:crypto';
import type { Identity } from './identity.js';

export interface ApiKey {
  readonly name: string;
  /** Hash of the key, in lower-case hex. The key itself is not kept. */
  readonly sha256: string;
  readonly mayWrite: boolean;
}

/**
 * Finds the owner of an API key; `undefined` for an unknown key. Keys are looked up by hash, so that the time of a
 * look-up tells nothing of a key.
 */
export function createApiKeys(keys: readonly ApiKey[]): (token: string) => Identity | undefined {
  const identities = new Map<string, Identity>(
    keys.map(({ name, sha256, mayWrite }) => [sha256, { callerId: `key:${name}`, mayWrite }]),
  );
  return (token) => identities.get(hash('sha256', token));
}
