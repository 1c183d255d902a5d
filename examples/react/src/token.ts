import { useSyncExternalStore } from 'react';

const key = 'bearer-token';

/** The emulator's token that works. In production there is none until somebody puts one in. */
const initialToken = import.meta.env.DEV ? 'demo-token' : '';

const listeners = new Set<() => void>();

/** Kept over a reload, and forgotten with the browser's tab. */
export function readToken(): string {
  return sessionStorage.getItem(key) ?? initialToken;
}

/** Where people sign in and out, `client.clearStore()` belongs here too: the cache is of one person. */
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
