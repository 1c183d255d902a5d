import * as z from 'zod';
import { isJsonObject, type JsonObject } from 'rest-outcome';
import type { FieldName, Translation } from 'study-gateway-contract';
import { isDateTime } from '../scalars/formats.js';
import type { DriftError, ReportDrift } from './drift.js';

/**
 * The documented values of `strategy`, which is free text in requests and in answers. The document lists the values
 * without a name; the public reference names the field.
 */
export const knownStrategies = [
  'solution_feedback',
  'problem_exploration',
  'custom_script',
  'dynamic_interview',
  'ethnographic_research',
  'concept_study',
] as const;

/** Maximum nesting depth of undocumented objects. JSON.stringify overflows the stack at a depth of some thousands. */
const MAX_LEVELS = 500;

function isShallow(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const item of Object.values(value)) if (!isShallow(item, levels - 1)) return false;
  return true;
}

const isObject = (value: unknown): boolean => isJsonObject(value) && isShallow(value);

const uuid = z.guid('a UUID');
const strings = z.array(z.string('an array of strings'), 'an array of strings');
// Not by `z.object`, which would drop a key `__proto__`.
const objects = z.array(
  z.custom<JsonObject>(isObject, 'an array of objects'),
  'an array of objects',
);
const object = z.custom<JsonObject>(isObject, 'an object or null');
const text = z.string('a string or null');
// Checks a date of an answer as `DateTime` checks inputs, so that a client can send it back.
const dateTime = z.stringFormat('date-time', isDateTime, 'an RFC 3339 date and time or null');
/** An integer in the range of GraphQL's `Int`: 32 bits, signed. */
export const integer = z.int32('a 32-bit integer or null');

const progressSchema = z.object(
  { total: integer.nullish(), completed: integer.nullish(), failed: integer.nullish() },
  'an object or null',
);

/**
 * Schema of a study in a response of the Study API. The field names come from the public reference; types and required
 * fields come from the document, except that only the reference requires `id`. Each message names the expected type,
 * for errors and logs.
 */
const studySchema = z.object({
  id: uuid,
  description: text.nullish(),
  projectId: uuid,
  createdAt: dateTime.nullish(),
  bookmarked: z.boolean('a boolean or null').nullish(),
  language: text.nullish(),
  audiences: strings,
  audiencesObj: objects,
  problems: strings,
  problemsObj: objects,
  files: strings,
  planId: text.nullable(),
  progress: progressSchema.nullish(),
  status: text.nullish(),
  solutionId: text.nullish(),
  solution: object.nullish(),
  researchGoalId: text.nullish(),
  researchGoal: object.nullish(),
  // The document shows one array with six allowed values here; the reference shows the next two fields instead. Arrays
  // of any strings fit both sources. A `strategy` that is an array breaks the contract.
  knowledgeGraphs: strings.nullish(),
  strategy: text.nullish(),
  interviewCount: integer.nullish(),
  interviews: strings,
  summaries: strings,
  // A contract has a name for each field, and no others.
} satisfies Record<FieldName, z.ZodType>);

/** @param absent fields that the API does not answer: each is `null` without an error */
export function createStudyShape(absent: readonly FieldName[]) {
  const nothing = Object.fromEntries(absent.map((name) => [name, z.null('null')]));
  const schema = absent.length > 0 ? studySchema.extend(nothing) : studySchema;
  // Compiled to one function, with which `z.validate` says yes or no without a copy of the study.
  return { fields: schema.shape, compiled: z.compile(schema) };
}

type StudyShape = ReturnType<typeof createStudyShape>;
type Names = Pick<Translation, 'known' | 'toFields' | 'toItem'>;

/** Names of the fields of a study. */
export const fieldNames = Object.keys(studySchema.shape);

/**
 * A study as a resolver returns it. Each of its fields has a value, or a {@link DriftError} if the field
 * breaks the contract. Fields that the contract does not know may be present too.
 */
export type StudyFields = Readonly<Partial<Record<FieldName, unknown>>>;

/**
 * Reads a study field by field. The value of a field that breaks the contract is replaced by an error, which GraphQL
 * reports only if the field is selected. Returns an error if nothing is at the place of the fields.
 *
 * @param answer study with the names of the Study API. Drift has the GraphQL names of known fields
 */
export function toStudy(
  answer: JsonObject,
  reportDrift: ReportDrift,
  { known, toFields, toItem, shape }: Names & { readonly shape: StudyShape },
): StudyFields | DriftError {
  const own = toFields(answer);
  if (!own) return reportDrift('study', 'an object at the place of its fields', 'nothing');
  for (const name in own) if (!known.has(name)) reportDrift(name, 'nothing', toTypeName(own[name]));
  const study = toItem(answer);

  // A raw JSON number is an object without the three integers to zod, which would accept it.
  if (!JSON.isRawJSON(study['progress']) && z.validate(shape.compiled, study)) return study;

  return readFields(shape.fields, study, '', reportDrift);
}

/**
 * Reads the fields of `shape` from `source`. The value of a field that does not fit its schema is replaced by an error; the
 * value of a field with a schema of an object, by an object with an error for each part that does not fit.
 *
 * @param prefix precedes the name of a field in errors and logs
 */
export function readFields(
  shape: z.core.$ZodShape,
  source: JsonObject,
  prefix: string,
  reportDrift: ReportDrift,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const value = source[name];
    // A raw JSON number is an object to zod. No schema accepts NaN.
    const given = JSON.isRawJSON(value) ? Number.NaN : value;
    const field = prefix + name;
    // Ends at the first item that does not fit, unlike `safeParse`: a list may have 500,000.
    if (z.validate(schema, given)) fields[name] = given;
    else {
      const parts = toPartsShape(schema);
      fields[name] =
        parts && isJsonObject(value)
          ? readFields(parts, value, `${field}.`, reportDrift)
          : reportDrift(field, toExpected(schema), toTypeName(value));
    }
  }
  return fields;
}

/** Returns the shape of an object's schema, which may allow `null`; `undefined` for any other schema. */
function toPartsShape(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return toPartsShape(schema.unwrap());
  return schema instanceof z.ZodObject ? schema.shape : undefined;
}

/** Returns the type that a schema expects: the message of its error. No schema accepts NaN. */
function toExpected(schema: z.core.$ZodType): string {
  return z.safeParse(schema, Number.NaN).error!.issues[0]!.message;
}

export function toTypeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (!isShallow(value)) return `more than ${MAX_LEVELS} levels`;
  if (Array.isArray(value)) return 'an array';
  if (JSON.isRawJSON(value)) return 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
