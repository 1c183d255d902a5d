import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const DATE_TIME_PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

/** The number of days in a month, 1 to 12, of the proleptic Gregorian calendar. */
function daysIn(year: number, month: number): number {
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999; day 0 is the last of the month before.
  return new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
}

/**
 * Whether `value` is a date and time of RFC 3339: with an offset, any number of fraction digits, on a day
 * that exists. The second 60 is allowed, as RFC 3339 does for leap seconds.
 */
function isDateTime(value: unknown): value is string {
  const match = typeof value === 'string' ? DATE_TIME_PATTERN.exec(value) : null;
  if (!match) return false;
  const isWithin = (group: number, min: number, max: number): boolean => {
    const number = Number(match[group] ?? min);
    return number >= min && number <= max;
  };
  return (
    isWithin(2, 1, 12) &&
    (isWithin(3, 1, 28) || isWithin(3, 1, daysIn(Number(match[1]), Number(match[2])))) &&
    isWithin(4, 0, 23) &&
    isWithin(5, 0, 59) &&
    isWithin(6, 0, 60) &&
    isWithin(7, 0, 23) &&
    isWithin(8, 0, 59)
  );
}

function toDateTime(value: unknown): string {
  if (isDateTime(value)) return value;
  throw new GraphQLError(
    'A DateTime is an RFC 3339 string with an offset, such as "2026-03-01T09:30:00.123456+01:00".',
  );
}

/**
 * A checked string, never a `Date`: a `Date` would lose the offset and the microseconds. What the Study
 * API sent goes out as it is.
 */
export const DateTimeScalar = new GraphQLScalarType<string, unknown>({
  name: 'DateTime',
  description:
    'A date and time with its offset (RFC 3339). Inputs are checked; the text is passed on unchanged in both directions.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  parseValue: toDateTime,
  parseLiteral: (node) => toDateTime(node.kind === Kind.STRING ? node.value : undefined),
  serialize: (value) => value,
  extensions: { codegenScalarType: 'string' },
});
