const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether `text` is a UUID of any version, in its form of 36 characters. */
export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text);
}

/**
 * Matches RFC 3339 with an optional offset. Checks the range of every part, but allows 31 days in every month and second
 * 60 in every minute. Takes linear time: no part can match in two ways.
 */
const DATE_TIME_PATTERN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/**
 * Returns whether `text` is a date and time of RFC 3339 on a day that exists, with any number of fraction digits. The
 * offset is optional. Second 60 is allowed only as the last second of a month in UTC, or of the month in `text` if there
 * is no offset: leap seconds occur nowhere else.
 */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME_PATTERN.test(text)) return false;
  const day = text.slice(8, 10);
  if (day > '28' && Number(day) > toDaysInMonth(text)) return false;
  return text[17] !== '6' || isLastMinuteOfMonth(text);
}

/** Returns the number of days in the month of `text`, in the proleptic Gregorian calendar. */
function toDaysInMonth(text: string): number {
  // The calendar repeats every 400 years. `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  const year = 2000 + (Number(text.slice(0, 4)) % 400);
  return new Date(Date.UTC(year, Number(text.slice(5, 7)), 0)).getUTCDate();
}

/** Returns whether `text` lies in the last minute of a month in UTC. A text without an offset counts as UTC. */
function isLastMinuteOfMonth(text: string): boolean {
  const [offset = 'Z'] = /(?:z|[+-]..:..)$/i.exec(text.slice(19)) ?? [];
  const lastSecond = Date.parse(`${text.slice(0, 16)}:59${offset}`.toUpperCase());
  return new Date(lastSecond + 1_000).toISOString().endsWith('-01T00:00:00.000Z');
}

/** Cuts a text to `length` characters, of which the last is `…`. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
