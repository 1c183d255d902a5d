// The entry `study-gateway-client/forms`: what a form can check before it sends an input, for zod 4.
import * as z from 'zod/mini';
import type { CreateStudyInput, EditStudyInput, ProgressInput } from './generated/operations.js';

/** Schemas of all fields of an input. TypeScript refuses a missing or an unknown name. */
type FieldsOf<Input> = { readonly [Name in keyof Required<Input>]: z.ZodMiniType };

const text = z.nullish(z.string());
const texts = z.nullish(z.array(z.string()));
const integer = z.nullish(z.int32('An integer of 32 bits.'));
const uuid = z.nullish(
  z
    .string()
    .check(
      z.regex(
        /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
        'A UUID is a string of 36 characters such as "123e4567-e89b-12d3-a456-426614174000".',
      ),
    ),
);

/** The form of RFC 3339 with an optional offset. The day must exist; whether a second 60 does is left to the gateway. */
const DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
const dateTime = z.nullish(
  z
    .string()
    .check(
      z.refine(
        (value) => DATE_TIME.test(value) && isDay(value),
        'A date and time is a string such as "2026-03-01T09:30:00+01:00", with or without the offset.',
      ),
    ),
);

function isDay(value: string): boolean {
  // The calendar repeats every 400 years. `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  const year = 2000 + (Number(value.slice(0, 4)) % 400);
  const daysInMonth = new Date(Date.UTC(year, Number(value.slice(5, 7)), 0)).getUTCDate();
  return Number(value.slice(8, 10)) <= daysInMonth;
}

const progress = {
  total: integer,
  completed: integer,
  failed: integer,
} satisfies FieldsOf<ProgressInput>;

const editFields = {
  audiences: texts,
  bookmarked: z.nullish(z.boolean()),
  createdAt: dateTime,
  description: text,
  files: texts,
  interviewCount: integer,
  interviews: texts,
  knowledgeGraphs: texts,
  language: text,
  progress: z.nullish(z.strictObject(progress)),
  projectId: uuid,
  status: text,
  strategy: text,
} satisfies FieldsOf<EditStudyInput>;

const createFields = {
  ...editFields,
  problems: texts,
  researchGoalId: uuid,
  solutionId: uuid,
} satisfies FieldsOf<CreateStudyInput>;

/** The input of `createStudy`, as a Standard Schema: refuses what the gateway refuses, before it is sent. */
export const createStudySchema = z.strictObject(createFields);

/** The input of `editStudy`, as a Standard Schema. */
export const editStudySchema = z.strictObject(editFields);
