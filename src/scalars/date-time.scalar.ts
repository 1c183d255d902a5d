import { GraphQLError, GraphQLScalarType } from 'graphql';
import { withoutStack } from '../stack-traces.js';
import { toLiteralParser } from './literal-parser.js';

/** Matches RFC 3339 with the range of every part checked, but with up to 31 days in every month. */
const DATE_TIME_PATTERN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns the number of days in a month of the proleptic Gregorian calendar. @param month 1 to 12 */
function daysIn(year: number, month: number): number {
  // Day 0 of the following month is the last day of this month. setUTCFullYear counts months from 0: the following month
  // has the number `month`. Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  return new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
}

/**
 * Returns whether `value` is a date and time of RFC 3339: with an offset, any number of fraction digits, on a day
 * that exists. Allows second 60, which RFC 3339 uses for leap seconds.
 */
function isDateTime(value: unknown): value is string {
  if (typeof value !== 'string' || !DATE_TIME_PATTERN.test(value)) return false;
  const day = Number(value.slice(8, 10));
  return day <= 28 || day <= daysIn(Number(value.slice(0, 4)), Number(value.slice(5, 7)));
}

function toDateTime(value: unknown): string {
  if (isDateTime(value)) return value;
  throw withoutStack(
    () =>
      new GraphQLError(
        'A DateTime is an RFC 3339 string with an offset, such as "2026-03-01T09:30:00.123456+01:00".',
      ),
  );
}

/**
 * GraphQL scalar `DateTime`: a checked string, because a `Date` would lose the offset and the microseconds. Values from
 * the Study API are passed on unchanged.
 */
export const DateTimeScalar = new GraphQLScalarType<string, unknown>({
  name: 'DateTime',
  description:
    'A date and time with its offset (RFC 3339). Inputs are checked; the text is passed on unchanged in both directions.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  parseValue: toDateTime,
  parseLiteral: toLiteralParser(toDateTime),
  serialize: (value) => value,
  extensions: { codegenScalarType: 'string' },
});
