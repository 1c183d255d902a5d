import { z } from 'zod';
import {
  answerNames,
  listArguments,
  pageNumbers,
  requestNames,
  toApiName,
  type FieldName,
  type Names,
  type WriteName,
} from './study-fields.js';

// The README says what each member means. The message of each schema says what is expected at a place of the file.

const knownMembers = 'an object with known members';

function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, knownMembers);
}

function listOf<Word extends string>(words: readonly Word[], expected: string) {
  return z.array(z.enum(words, expected), `an array, each ${expected}`).default([]);
}

function text(expected: string, pattern: RegExp) {
  return z.string(expected).regex(pattern, expected);
}

// Assigning to `__proto__` would change a prototype instead of adding a member.
const name = text('the name that the API uses', /^(?!__proto__$)[^]+$/);
const pointer = text(
  'a JSON Pointer such as "/data"',
  /^(?!.*\/__proto__(?:\/|$))(?:\/(?:[^~/]|~[01])*)+$/,
);
const nameOrPointer = z.union(
  [pointer, name.regex(/^[^/]/)],
  'the name that the API uses, or a JSON Pointer such as "/owner/id"',
);
const path = text('a path such as "/studies", without placeholders', /^(?:\/[^/{}?#\s]*)+$/);
const pathOfOne = text(
  'a path with one placeholder for the id, such as "/studies/{id}"',
  /^(?:\/[^/{}?#\s]*)*\/\{\w+\}(?:\/[^/{}?#\s]*)*$/,
);
// The headers that the gateway sends, and those that frame or route a request, end in other words, but for X-Request-Id.
const header = text(
  'a header of its own, whose last word is "Idempotency", "Key", "Token" or "Id", but not "X-Request-Id"',
  /^(?!x-request-id$)(?:[\w-]+-)?(?:idempotency|key|token|id)$/i,
);
const naming = z
  .literal(['camelCase', 'snake_case'], '"camelCase" or "snake_case"')
  .default('camelCase');

/** Names that differ from what the rule makes. */
function namesOf<Key extends string, Value extends z.ZodType>(keys: readonly Key[], value: Value) {
  return z.partialRecord(z.enum(keys, knownMembers), value, knownMembers).default({});
}

const perWrite = object({ createStudy: ofWrite('createStudy'), editStudy: ofWrite('editStudy') });
function ofWrite(write: WriteName) {
  return listOf(requestNames[write], `a field of the input of ${write}`);
}

const request = object({
  at: pointer.optional(),
  id: pointer.optional(),
  constants: z.record(pointer, z.string('a text'), knownMembers).default({}),
  naming,
  names: namesOf(requestNames.createStudy, nameOrPointer),
  required: perWrite.prefault({}),
  absent: perWrite.prefault({}),
}).superRefine((names, context) => {
  checkNames(names, requestNames.createStudy, names.absent.createStudy, context);
});

const answer = object({
  at: pointer.optional(),
  fields: pointer.optional(),
  naming,
  names: namesOf(answerNames, nameOrPointer),
  // Without an id, there is no study.
  absent: listOf<FieldName>(
    answerNames.filter((name) => name !== 'id'),
    'a field of a study other than "id"',
  ),
}).superRefine((names, context) => checkNames(names, answerNames, names.absent, context));

/** Reports names that two fields share. An empty name has its own report. */
function checkNames(
  names: Names,
  all: readonly string[],
  absent: readonly string[],
  context: z.RefinementCtx,
): void {
  const fields = all.filter((field) => !absent.includes(field));
  for (const [field, apiName = ''] of Object.entries(names.names)) {
    const other = fields.find((other) => other !== field && toApiName(names, other) === apiName);
    const message = `a name of its own: "${apiName}" is the name of "${other}" too`;
    if (other !== undefined && apiName !== '')
      context.addIssue({ code: 'custom', path: ['names', field], message });
  }
}

const lacking = z.literal(false);
function operation<Schema extends z.ZodType>(schema: Schema) {
  return z.union([lacking, schema], 'false, or an object with known members');
}

const numberPlace = z.union([lacking, pointer], 'a JSON Pointer such as "/page", or false');
const parameter = z.union([lacking, name], 'the name that the API uses, or false');
const list = object({
  path: path.default('/studies'),
  items: pointer.default('/items'),
  item: pointer.optional(),
  numbers: namesOf(pageNumbers, numberPlace),
  parameters: namesOf(listArguments, parameter),
  projects: z
    .literal(['comma-separated', 'repeated', 'one'], '"comma-separated", "repeated" or "one"')
    .default('comma-separated'),
  firstPage: z.literal([0, 1], '0 or 1').default(1),
});

/** How an API lists studies. */
export type ListForm = z.output<typeof list>;

/** How the list is assumed to be. */
export const usualList: ListForm = list.parse({}, { jitless: true });

const one = operation(object({ path: pathOfOne.default('/studies/{study_id}') }));
const operations = object({
  study: one.prefault({}),
  studies: operation(list).prefault({}),
  createStudy: operation(object({ path: path.default('/studies') })).prefault({}),
  editStudy: one.prefault({}),
});

function statuses(min: number, max: number) {
  const expected = `a status from ${min} to ${max}`;
  const status = z.int(expected).min(min, expected).max(max, expected);
  return z.array(status, `an array, each ${expected}`).optional();
}

const onePlace = 'one place, with the value there that means yes';
const yes = z.union([z.boolean(), z.number(), z.null(), text(onePlace, /./)], onePlace);
const verdicts = object({
  applied: statuses(200, 299),
  rejected: statuses(400, 599),
  success: z
    .record(pointer, yes, onePlace)
    .refine((success) => Object.keys(success).length === 1, onePlace)
    .optional(),
});

export const contractSchema = object({
  request: request.prefault({}),
  answer: answer.prefault({}),
  operations: operations.prefault({}),
  verdicts: verdicts.prefault({}),
  keys: object({ header: header.default('Idempotency-Key') }).optional(),
});

/** Content of the file. */
export type ContractFile = z.input<typeof contractSchema>;

/** Complete contract of an API: the content of the file, and what is assumed where the file says nothing. */
export interface Contract extends z.output<typeof contractSchema> {
  /** Path of the file, for messages; `undefined` without a file. */
  readonly file?: string;
}

/** Contract of an API without a file. */
// Not compiled: parsed once, at the import.
export const assumed: Contract = contractSchema.parse({}, { jitless: true });
