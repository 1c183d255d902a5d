import { useSyncExternalStore } from 'react';

const key = 'bearer-token';

/** Token until a user enters another one: the emulator's demo token, or no token in production. */
const initialToken = import.meta.env.DEV ? 'demo-token' : '';

const listeners = new Set<() => void>();

/** Returns the bearer token. The token survives a reload, and is deleted when the browser tab is closed. */
export function readToken(): string {
  return sessionStorage.getItem(key) ?? initialToken;
}

/** Stores the bearer token. An app with sign-in must also call `client.clearStore()`: the cache belongs to one user. */
export function writeToken(token: string): void {
  sessionStorage.setItem(key, token);
  for (const tell of listeners) tell();
}

export function useToken(): string {
  return useSyncExternalStore(subscribe, readToken);
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
