// The parts of the web platform that safe writes use: the package compiles without the types of a platform.

/** The part of the Web Storage API that keeps entries. As in `localStorage`, the names are properties of the object. */
export interface WriteStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** The parts of Web Crypto that make keys. Pages served by HTTP lack `randomUUID`, React Native lacks both. */
interface WebCrypto {
  randomUUID?(): string;
  getRandomValues?(bytes: Uint8Array): Uint8Array;
}

interface Locks {
  request<Result>(name: string, action: () => Promise<Result>): Promise<Result>;
}

interface PageEvent {
  /** Of the event `storage`: name of the changed item; `null` if the storage was cleared. */
  readonly key?: string | null;
}

interface Page {
  readonly localStorage?: WriteStorage;
  readonly location?: { readonly href?: string };
  readonly navigator?: { readonly locks?: Locks };
  addEventListener?(type: string, listener: (event: PageEvent) => void): void;
}

// oxlint-disable-next-line no-shadow-restricted-names -- declares a part
declare const globalThis: { readonly crypto?: WebCrypto; readonly window?: Page };
declare const process: { readonly env: { readonly NODE_ENV?: string } };
declare const console: { warn(text: string): void };
declare function setTimeout(end: () => void, ms: number): unknown;

/** The page; `undefined` on a server. */
export function toPage(): Page | undefined {
  return globalThis.window;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Returns what `action` returns; `undefined` if it throws, as a forbidden or full storage does. */
export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Warns in development. Bundlers replace `process.env.NODE_ENV`. */
export function warn(text: string): void {
  // oxlint-disable-next-line no-restricted-globals -- the name that bundlers look for
  const isDevelopment = attempt(() => process.env.NODE_ENV !== 'production');
  // oxlint-disable-next-line no-console -- for developers
  if (isDevelopment) console.warn(`study-gateway-client: ${text}`);
}

/** Makes an idempotency key, a random UUID. */
export function newIdempotencyKey(): string {
  const { crypto } = globalThis;
  if (crypto?.randomUUID) return crypto.randomUUID();
  if (!crypto?.getRandomValues)
    throw new Error('crypto.getRandomValues is missing: import react-native-get-random-values.');
  const bytes = crypto.getRandomValues(new Uint8Array(36));
  // Version 4 and variant 8 of RFC 9562; every x is a random digit.
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', (_, index: number) =>
    (Number(bytes[index]) % 16).toString(16),
  );
}

/** The last action of this page with each lock, where there are no Web Locks. */
const queues = new Map<string, Promise<unknown>>();

/** Runs `action` when no other action with this lock runs, in all tabs; without Web Locks, in this page. */
export function locked<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
  const locks = attempt(() => toPage()?.navigator?.locks);
  if (!locks) {
    const turn = (queues.get(name) ?? Promise.resolve()).then(action);
    queues.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  }
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return action();
  };
  return locks.request(name, begin).catch((error: unknown) => {
    // A page without an origin of its own, in a sandbox for example, gets no lock.
    if (hasBegun) throw error;
    return action();
  });
}
