/** Verdict of a rate limit, and what is left of the caller's minute. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the caller has its whole limit again. */
  readonly resetSeconds: number;
}

export function toRateMessage({ limit }: RateVerdict, what: string): string {
  return `A caller may have ${limit} ${what} in a minute. Nothing was sent.`;
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-03, which clients know. */
export function toRateHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    'ratelimit-limit': String(verdict.limit),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.resetSeconds),
  };
}
