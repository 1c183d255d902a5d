import * as z from 'zod';
import {
  answerNames,
  listArguments,
  pageNumbers,
  requestNames,
  toApiName,
  type FieldName,
  type Names,
} from './study-fields.js';

// The README says what each member means.

function text(pattern: RegExp, expected: string) {
  return z.string().regex(pattern, `Invalid input: expected ${expected}`);
}

const name = z.string().min(1);
const pointer = text(/^(?:\/(?:[^~/]|~[01])*)+$/, 'a JSON Pointer such as "/data"');
const nameOrPointer = text(
  /^(?:[^/].*|(?:\/(?:[^~/]|~[01])*)+)$/s,
  'the name that the API uses, or a JSON Pointer such as "/a/b"',
);
const path = text(/^(?:\/[^/{}?#\s]*)+$/, 'a path such as "/studies", without placeholders');
const pathOfOne = text(
  /^(?:\/[^/{}?#\s]*)*\/\{\w+\}(?:\/[^/{}?#\s]*)*$/,
  'a path with one placeholder for the id, such as "/studies/{id}"',
);
// The headers that the gateway sends, and those that frame or route a request, end in other words, but for X-Request-Id.
const header = text(
  /^(?!x-request-id$)(?:[\w-]+-)?(?:idempotency|key|token|id)$/i,
  'a header whose last word is "Idempotency", "Key", "Token" or "Id", but not "X-Request-Id"',
);
const naming = z.literal(['camelCase', 'snake_case']).default('camelCase');

/** Names that differ from what the rule makes. */
function namesOf<Key extends string, Value extends z.ZodType>(keys: readonly Key[], value: Value) {
  return z.partialRecord(z.enum(keys), value).default({});
}

function listOf(names: readonly FieldName[]) {
  return z.array(z.enum(names)).default([]);
}

const perWrite = z.strictObject({
  createStudy: listOf(requestNames.createStudy),
  editStudy: listOf(requestNames.editStudy),
});

const request = z
  .strictObject({
    at: pointer.optional(),
    id: pointer.optional(),
    constants: z.record(pointer, z.string()).default({}),
    naming,
    names: namesOf(requestNames.createStudy, nameOrPointer),
    required: perWrite.prefault({}),
    absent: perWrite.prefault({}),
  })
  .superRefine((names, context) =>
    checkNames(names, requestNames.createStudy, names.absent.createStudy, context),
  );

const answer = z
  .strictObject({
    at: pointer.optional(),
    fields: pointer.optional(),
    naming,
    names: namesOf(answerNames, nameOrPointer),
    // Without an id, there is no study.
    absent: listOf(answerNames.filter((name) => name !== 'id')),
  })
  .superRefine((names, context) => checkNames(names, answerNames, names.absent, context));

/** Reports a name that two fields share. */
function checkNames(
  names: Names,
  all: readonly string[],
  absent: readonly string[],
  context: z.RefinementCtx,
): void {
  const fields = all.filter((field) => field in names.names || !absent.includes(field));
  const used = fields.map((field) => toApiName(names, field));
  const shared = used.find((name, index) => used.indexOf(name) < index);
  if (shared) context.addIssue(`Two fields have the name "${shared}"`);
}

function operation<Schema extends z.ZodType>(schema: Schema) {
  return z.union([z.literal(false), schema]);
}

export const listSchema = z.strictObject({
  path: path.default('/studies'),
  items: pointer.default('/items'),
  item: pointer.optional(),
  numbers: namesOf(pageNumbers, z.union([z.literal(false), pointer])),
  parameters: namesOf(listArguments, z.union([z.literal(false), name])),
  projects: z.literal(['comma-separated', 'repeated', 'one']).default('comma-separated'),
  firstPage: z.literal([0, 1]).default(1),
});

/** How an API lists studies. */
export type ListForm = z.output<typeof listSchema>;

const one = operation(z.strictObject({ path: pathOfOne.default('/studies/{study_id}') }));
const operations = z.strictObject({
  study: one.prefault({}),
  studies: operation(listSchema).prefault({}),
  createStudy: operation(z.strictObject({ path: path.default('/studies') })).prefault({}),
  editStudy: one.prefault({}),
});

const verdicts = z.strictObject({
  applied: z.array(z.int().min(200).max(299)).optional(),
  rejected: z.array(z.int().min(400).max(599)).optional(),
  success: z
    .record(pointer, z.union([z.boolean(), z.number(), z.null(), z.string().min(1)]))
    .refine((success) => Object.keys(success).length === 1, 'Invalid input: expected one place')
    .optional(),
});

export const contractSchema = z.strictObject({
  request: request.prefault({}),
  answer: answer.prefault({}),
  operations: operations.prefault({}),
  verdicts: verdicts.prefault({}),
  keys: z.strictObject({ header: header.default('Idempotency-Key') }).optional(),
});

/** Content of the file. */
export type ContractFile = z.input<typeof contractSchema>;

/** Complete contract of an API: the content of the file, and what is assumed where the file says nothing. */
export type Contract = z.output<typeof contractSchema>;

/** Contract of an API without a file. */
// Not compiled: parsed once, at the import.
export const assumed: Contract = contractSchema.parse({}, { jitless: true });
