import { z } from 'zod';

/** Any 8-4-4-4-12 hexadecimal UUID: every version and case, the nil UUID included. */
export const uuid = z.guid();

/** Assumption: an integer has at most 32 bits, signed, as the gateway's GraphQL `Int` has. No source names a limit. */
export const integer = z.int32();

/** An integer as the query of a URL carries it. */
export const integerText = z.stringFormat('integer-text', /^[+-]?\d{1,9}$/).transform(Number);

/** UUIDs, comma-separated. */
export const uuidsText = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(uuid));

/** RFC 3339 with a required offset, kept as a string: no digit is lost. */
export const dateTime = z.stringFormat('date-time', isDateTime);

/** The six values of the document's response entry 16, a field of its own by the reference. */
export const strategy = z.enum([
  'solution_feedback',
  'problem_exploration',
  'custom_script',
  'dynamic_interview',
  'ethnographic_research',
  'concept_study',
]);

const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Leap seconds (`:60`) are refused, as pydantic does. */
function isDateTime(value: string): boolean {
  const [, year, month, day] = (dateTimePattern.exec(value) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** The calendar repeats every 400 years; the shift keeps `Date.UTC` from reading 0–99 as 1900–1999. */
function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
