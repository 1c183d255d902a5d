import { hash } from 'node:crypto';
import type { Identity } from './identity.js';

export interface ApiKey {
  readonly name: string;
  /** SHA-256 of the API key, in lower-case hex. The gateway never holds the key itself. */
  readonly sha256: string;
  readonly mayWrite: boolean;
}

/**
 * Returns a function that finds the owner of an API key; its result is `undefined` for an unknown key. Looks
 * keys up by hash, so that the lookup time reveals nothing about a key.
 */
export function createApiKeys(keys: readonly ApiKey[]): (token: string) => Identity | undefined {
  const identities = new Map<string, Identity>(
    keys.map(({ name, sha256, mayWrite }) => [sha256, { callerId: `key:${name}`, mayWrite }]),
  );
  return (token) => identities.get(hash('sha256', token));
}
