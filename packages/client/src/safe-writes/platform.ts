/** The part of the Web Storage API that keeps entries. As in `localStorage`, the names are properties of the object. */
export interface WriteStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** The parts of a page that are used here. React Native and pages served by HTTP lack some of them. */
interface Page {
  readonly localStorage?: WriteStorage;
  readonly location?: { readonly href?: string };
  readonly navigator?: Partial<Pick<Navigator, 'locks'>>;
  addEventListener?(type: string, listener: () => void): void;
}

// oxlint-disable-next-line no-shadow-restricted-names -- declares a part
declare const globalThis: { readonly window?: Page };
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The page; `undefined` on a server. */
export function toPage(): Page | undefined {
  return globalThis.window;
}

/** Returns what `action` returns; `undefined` if it throws, as a forbidden or full storage does. */
export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Warns in development. Bundlers replace `process.env.NODE_ENV`. */
export function warn(text: string): void {
  // oxlint-disable-next-line no-restricted-globals -- the name that bundlers look for
  const isDevelopment = attempt(() => process.env.NODE_ENV !== 'production');
  // oxlint-disable-next-line no-console -- for developers
  if (isDevelopment) console.warn(`study-gateway-client: ${text}`);
}

/** Makes an idempotency key, a random UUID. Pages served by HTTP lack `crypto.randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(36));
  // Version 4 and variant 8 of RFC 9562; every x is a random digit.
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', (_, index: number) =>
    (Number(bytes[index]) % 16).toString(16),
  );
}
