/** Decision of a rate limiter, with the state of the caller's window. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Time until the window ends and the caller has the whole limit again. */
  readonly resetSeconds: number;
}

export function toRateMessage({ limit }: RateVerdict, what: string): string {
  return `A caller may have ${limit} ${what} in a minute. Nothing was sent.`;
}

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers-03, the version that clients support. */
export function toRateHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    'ratelimit-limit': String(verdict.limit),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.resetSeconds),
  };
}
