/** Maximum wait that is recommended to clients: one hour. */
const MAX_SECONDS = 3600;

/**
 * Converts a `Retry-After` header (RFC 9110 §10.2.3), which holds seconds or an HTTP date, to whole seconds from
 * `nowMs`, 0 to 3600. Returns `undefined` if the header is missing or malformed.
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

/**
 * Parses an HTTP date (RFC 9110 §5.6.7) to ms since 1970; `NaN` if malformed. Dates without `GMT` (asctime) are in GMT
 * too.
 */
function toTime(text: string): number {
  if (!/^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
