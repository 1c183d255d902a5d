/**
 * Matches RFC 3339 with an optional offset. Checks the range of every part, but allows 31 days in every month and second
 * 60 in every minute. Takes linear time: no part can match in two ways.
 */
const DATE_TIME_PATTERN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

const CODE_OF_0 = 48;
const MINUTES_IN_DAY = 1440;

/**
 * Returns whether `text` is a date and time of RFC 3339 on a day that exists, with any number of fraction digits. The
 * offset is optional. Second 60 is allowed only as the last second of a month in UTC, or of the month in `text` if there
 * is no offset: leap seconds occur nowhere else.
 */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME_PATTERN.test(text)) return false;
  const day = toNumber(text, 8);
  if (day > 28 && day > daysInMonth(text)) return false;
  return text[17] !== '6' || isLastMinuteOfMonth(text, day);
}

/** Reads two digits without the strings that `slice` would create. */
function toNumber(text: string, index: number): number {
  return (text.charCodeAt(index) - CODE_OF_0) * 10 + text.charCodeAt(index + 1) - CODE_OF_0;
}

/** Returns the number of days in the month of `text`, in the proleptic Gregorian calendar. */
function daysInMonth(text: string): number {
  const month = toNumber(text, 5);
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  const yearOfCentury = toNumber(text, 2);
  // The years 0000, 0400, …, 2000 are leap years; 0100, 0200, 0300, …, 1900 are not.
  const isLeapYear = (yearOfCentury === 0 ? toNumber(text, 0) : yearOfCentury) % 4 === 0;
  return isLeapYear ? 29 : 28;
}

/** Returns whether `text` lies in the last minute of a month in UTC. A text without an offset counts as UTC. */
function isLastMinuteOfMonth(text: string, day: number): boolean {
  const signIndex = text.length - 6;
  const sign = text[signIndex];
  // After the date, only an offset has a sign.
  const hasOffset = sign === '+' || sign === '-';
  const offset = hasOffset ? toNumber(text, signIndex + 1) * 60 + toNumber(text, signIndex + 4) : 0;
  // Of a day in UTC. No offset reaches the last minute of the next day.
  const minute = toNumber(text, 11) * 60 + toNumber(text, 14) + (sign === '+' ? -offset : offset);
  if (minute === MINUTES_IN_DAY - 1) return day === daysInMonth(text);
  // -1 is the last minute of the day before, which ends a month if the day in `text` is the first.
  return minute === -1 && day === 1;
}
