/** Whether a caller may do so much more within its minute, and what is left of it. */
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

/** Of draft-ietf-httpapi-ratelimit-headers-03, which is what clients know. */
export function toRateHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    'ratelimit-limit': String(verdict.limit),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.resetSeconds),
  };
}
