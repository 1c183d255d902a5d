const key = 'bearer-token';

/** Token until a user enters another one: the emulator's demo token, or no token in production. */
const initialToken = import.meta.env.DEV ? 'demo-token' : '';

/** Returns the bearer token. The token survives a reload, and is deleted when the browser tab is closed. */
export function readToken(): string {
  return sessionStorage.getItem(key) ?? initialToken;
}

/** Stores the bearer token. An app with sign-in must also call `client.clearStore()`: the cache belongs to one user. */
export function writeToken(token: string): void {
  sessionStorage.setItem(key, token);
}
