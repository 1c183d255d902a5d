import { z } from 'zod';
import { isJsonObject } from '../rest/json-body.js';
import type { JsonObject } from '../rest/rest-call.js';
import { LoneSurrogateError, StudyContractError } from './study.errors.js';

/** The six values of the document's response entry 16, by the reference those of `strategy`. */
export const StudyStrategy = {
  solution_feedback: 'solution_feedback',
  problem_exploration: 'problem_exploration',
  custom_script: 'custom_script',
  dynamic_interview: 'dynamic_interview',
  ethnographic_research: 'ethnographic_research',
  concept_study: 'concept_study',
} as const;

/** Levels of an object whose structure is not known. JSON.stringify overflows the stack at some thousands. */
const MAX_LEVELS = 500;

function isWithinLevels(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isWithinLevels(item, levels - 1));
}

/** Passed on as it is, and never copied: a copy would lose a key `__proto__`. */
function isObject(value: unknown): boolean {
  return isJsonObject(value) && isWithinLevels(value, MAX_LEVELS);
}

const uuid = z.guid('a UUID');
const strings = z.array(z.string('an array of strings'), 'an array of strings');
const objects = z.array(
  z.custom<JsonObject>(isObject, 'an array of objects'),
  'an array of objects',
);
const object = z.custom<JsonObject>(isObject, 'an object or null');
const text = z.string('a string or null');
/** GraphQL's Int: 32 bits, signed. */
export const integer = z.int32('a 32-bit integer or null');

const progressSchema = z.object(
  { total: integer.nullish(), completed: integer.nullish(), failed: integer.nullish() },
  'an object or null',
);

/**
 * The response body of the Study API. Names: public reference. Types and what is required: document; `id` is required by
 * the reference only.
 * Each message says what was expected; it goes into errors and logs.
 */
const studySchema = z.object({
  id: uuid,
  description: text.nullish(),
  projectId: uuid,
  createdAt: text.nullish(),
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
  // The document's entry 16 reads as one array with six allowed values; by the reference it is these two
  // fields. Strings of any value are right under both readings; a `strategy` that is an array is a broken field.
  knowledgeGraphs: strings.nullish(),
  strategy: z.enum(StudyStrategy, 'one of the six strategies or null').nullish(),
  interviewCount: integer.nullish(),
  interviews: strings,
  summaries: strings,
});

/** Name of each field in the answers of the Study API, by its name in GraphQL. */
const wireNames: Readonly<Record<string, string>> = {
  id: 'id',
  description: 'description',
  projectId: 'projectId',
  createdAt: 'createdAt',
  bookmarked: 'bookmarked',
  language: 'language',
  audiences: 'audiences',
  audiencesObj: 'audiencesObj',
  problems: 'problems',
  problemsObj: 'problemsObj',
  files: 'files',
  planId: 'planId',
  progress: 'progress',
  status: 'status',
  solutionId: 'solutionId',
  solution: 'solution',
  researchGoalId: 'researchGoalId',
  researchGoal: 'researchGoal',
  knowledgeGraphs: 'knowledgeGraphs',
  strategy: 'strategy',
  interviewCount: 'interviewCount',
  interviews: 'interviews',
  summaries: 'summaries',
} satisfies Record<keyof StudyWire, string>;

const knownNames = new Set(Object.values(wireNames));
const hasEqualNames = Object.entries(wireNames).every(([name, wireName]) => name === wireName);
const progressNames = new Set(Object.keys(progressSchema.shape));

/** One field of the contract, for programs that compare an API with it. */
export interface StudyField {
  /** Name in GraphQL. */
  readonly name: string;
  readonly wireName: string;
  /** Accepts what the gateway can read; `undefined` where the field is missing. */
  readonly schema: z.ZodType;
}

export const studyFields: readonly StudyField[] = Object.entries(studySchema.shape).map(
  ([name, schema]) => ({ name, wireName: toWireName(name), schema }),
);

/** A study as the Study API sends it when it keeps the contract. */
export type StudyWire = z.infer<typeof studySchema>;

/**
 * The 23 fields as GraphQL reads them: a value, or a {@link StudyContractError} where one is broken. Where none is, it is the
 * answer itself, with whatever else is in it.
 */
export type StudyFields = Readonly<Partial<Record<keyof StudyWire, unknown>>>;

/** Hears of every difference from the contract: names and types, never values. */
export type ReportDrift = (field: string, expected: string, received: string) => void;

/** Makes the error of a difference from the contract, and reports the difference. */
export type ToContractError = (...drift: Parameters<ReportDrift>) => StudyContractError;

/**
 * Reads an answer field by field. A field that breaks the contract becomes an error in its own place, so
 * that GraphQL reports it where it is selected and nowhere else.
 */
export function toStudy(
  answer: JsonObject,
  isWrite: boolean,
  reportDrift: ReportDrift,
): StudyFields {
  for (const name in answer)
    if (!knownNames.has(name)) reportDrift(name, 'nothing', toTypeName(answer[name]));
  const study = hasEqualNames ? answer : toGraphQLNames(answer);
  const { progress } = study;
  if (isJsonObject(progress))
    for (const part in progress)
      if (!progressNames.has(part))
        reportDrift(`${toWireName('progress')}.${part}`, 'nothing', toTypeName(progress[part]));

  if (studySchema.safeParse(study).success) return study;

  const studyId = uuid.safeParse(study.id).data;
  return readFields(studySchema.shape, study, toWireName, (field, expected, received) => {
    reportDrift(field, expected, received);
    return new StudyContractError(field, expected, received, isWrite, studyId);
  });
}

export function toWireName(name: string): string {
  return wireNames[name] ?? name;
}

function toGraphQLNames(answer: JsonObject): JsonObject {
  const study: Record<string, unknown> = {};
  for (const [name, wireName] of Object.entries(wireNames))
    if (Object.hasOwn(answer, wireName)) study[name] = answer[wireName];
  return study;
}

/**
 * Reads each field of `shape`: a value, or an error where the field is broken.
 *
 * @param toName gives a field's name in errors
 */
export function readFields(
  shape: z.core.$ZodShape,
  source: JsonObject,
  toName: (name: string) => string,
  toError: ToContractError,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const value = source[name];
    const read = z.safeParse(schema, value);
    const field = toName(name);
    if (read.success) fields[name] = read.data;
    else if (name === 'progress' && isJsonObject(value))
      fields[name] = readFields(progressSchema.shape, value, (part) => `${field}.${part}`, toError);
    else fields[name] = toError(field, read.error.issues[0]!.message, toTypeName(value));
  }
  return fields;
}

export function toTypeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * The JSON text of a request body: `undefined` is left out, `null` and `[]` stay.
 *
 * @throws LoneSurrogateError
 */
export function toBody(input: object): string {
  const body = JSON.stringify(input);
  // JSON.stringify escapes nothing but lone surrogates this way; a text that looks like it is checked in vain.
  if (body.includes(String.raw`\ud`)) assertWellFormed(input, []);
  return body;
}

function assertWellFormed(value: unknown, path: readonly (string | number)[]): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw new LoneSurrogateError(path);
  if (Array.isArray(value))
    value.forEach((item, index) => assertWellFormed(item, [...path, index]));
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) assertWellFormed(item, [...path, name]);
}
