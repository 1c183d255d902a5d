import { z } from 'zod';

/** Any 8-4-4-4-12 hexadecimal UUID: every version and case, the nil UUID included. */
export const uuid = z.guid();

/** A signed 32-bit integer, like GraphQL's `Int`. The limit is an assumption: no source names one. */
export const integer = z.int32();

/** An integer in a query string, of at most nine digits. */
export const integerText = z.stringFormat('integer-text', /^[+-]?\d{1,9}$/).transform(Number);

/** A comma-separated list of UUIDs in a query string. */
export const uuidsText = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(uuid));

/** An RFC 3339 date-time with an offset. Stays a string, so that no digit is lost. */
export const dateTime = z.stringFormat('date-time', isDateTime);

/** The six values of `strategy`. The document lists the values without a name; the public reference names the field. */
export const strategy = z.enum([
  'solution_feedback',
  'problem_exploration',
  'custom_script',
  'dynamic_interview',
  'ethnographic_research',
  'concept_study',
]);

const isoDate = z.iso.date();
const dateTimePattern =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Returns true if `value` is a valid RFC 3339 date-time. Leap seconds (`:60`) are invalid, as in pydantic. */
function isDateTime(value: string): boolean {
  return dateTimePattern.test(value) && z.validate(isoDate, value.slice(0, 10));
}
