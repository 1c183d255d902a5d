const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether `text` is a UUID of any version, in its form of 36 characters. */
export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text);
}

/**
 * Matches RFC 3339 with an optional offset. Checks the range of every part, but allows 31 days in every month. Refuses leap
 * seconds. Takes linear time: no part can match in two ways.
 */
const DATE_TIME_PATTERN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/**
 * Returns whether `text` is a date and time of RFC 3339 on a day that exists, with any number of fraction digits. The
 * offset is optional.
 */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME_PATTERN.test(text)) return false;
  const day = text.slice(8, 10);
  // `Date` takes a day beyond the end of a month for one of the next month.
  return day <= '28' || new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(day);
}

/** Cuts a text to `length` characters, of which the last is `…`. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
