/** The longest wait that is passed on: one hour. */
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
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]+,? /.test(text)
      ? Math.ceil((Date.parse(text) - nowMs) / 1000)
      : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_SECONDS);
}
