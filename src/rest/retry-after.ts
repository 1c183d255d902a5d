/** Longest wait that clients are told: one hour. */
const MAX_SECONDS = 3600;

/**
 * `Retry-After` (RFC 9110 §10.2.3), a number of seconds or an HTTP date, as whole seconds from `nowMs`,
 * 0 to 3600. `undefined` when there is none or it is neither.
 */
export function toRetryAfterSeconds(
  header: string | string[] | undefined,
  nowMs: number = Date.now(),
): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (toTime(text) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}

/** An HTTP date (RFC 9110 §5.6.7) in ms since 1970, `NaN` for anything else. All are GMT; one form omits it. */
function toTime(text: string): number {
  if (!/^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
