import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { toPointer } from './json.js';
import {
  answerNames,
  listArguments,
  namings,
  pageNumbers,
  requestNames,
  type FieldName,
  type WriteName,
} from './study-fields.js';

// The message of each schema says what is expected at a place of the file.

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
  .default('camelCase')
  .describe('Rule that makes the names of the API from those of the GraphQL schema.');

/** Names that differ from what the rule makes. */
function namesOf<Key extends string, Value extends z.ZodType<string>>(
  keys: readonly Key[],
  value: Value,
) {
  return z.partialRecord(z.enum(keys, knownMembers), value, knownMembers).default({});
}

function perWrite(description: string) {
  const list = (write: WriteName) =>
    listOf(requestNames[write], `a field of the input of ${write}`);
  return object({ createStudy: list('createStudy'), editStudy: list('editStudy') })
    .prefault({})
    .describe(description);
}

/** How the API names fields. */
export interface Names {
  readonly naming: keyof typeof namings;
  readonly names: Readonly<Partial<Record<string, string>>>;
}

/** Returns the API's name of a field of a study, or its place as a JSON Pointer. */
export function toApiName({ naming, names }: Names, field: string): string {
  return names[field] ?? namings[naming](field);
}

const request = object({
  at: pointer.optional().describe('Place of the fields in a body. Default: the body itself.'),
  id: pointer.optional().describe('Place of the id in the body of an edit. Default: none.'),
  constants: z
    .record(pointer, z.string('a text'), knownMembers)
    .default({})
    .describe('Texts that are in each body, by their places.'),
  naming,
  names: namesOf(requestNames.createStudy, nameOrPointer),
  required: perWrite('Fields that the API demands: a write without them is refused unsent.'),
  absent: perWrite('Fields that the API does not take: a write with them is refused unsent.'),
}).superRefine((names, context) => {
  checkNames(names, requestNames.createStudy, names.absent.createStudy, context);
});

const answer = object({
  at: pointer.optional().describe('Place of the study in an answer. Default: the answer itself.'),
  fields: pointer.optional().describe('Place of the fields in a study. Default: the study itself.'),
  naming,
  names: namesOf(answerNames, nameOrPointer),
  // Without an id, there is no study.
  absent: listOf<FieldName>(
    answerNames.filter((name) => name !== 'id'),
    'a field of a study other than "id"',
  ).describe('Fields that the API does not send: each is null. A field in "names" is read.'),
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

const lacking = z.literal(false).describe('The API has no such operation.');
function operation<Schema extends z.ZodType>(schema: Schema) {
  return z.union([lacking, schema], 'false, or an object with known members');
}

const numberPlace = z.union(
  [pointer, z.literal(false)],
  'a JSON Pointer such as "/page", or false',
);
const list = object({
  path: path.default('/studies'),
  items: pointer.default('/items').describe('Place of the studies in a page that is no array.'),
  item: pointer.optional().describe('Place of the study in an item. Default: the item itself.'),
  numbers: z
    .partialRecord(z.enum(pageNumbers), numberPlace, knownMembers)
    .default({})
    .describe(
      'Places of the numbers of a page, or false for a number that it lacks. If it lacks the page, the page asked for is believed. Default: beside the studies, by their own names.',
    ),
  parameters: namesOf(listArguments, name),
  absent: listOf(listArguments, 'an argument of studies').describe('Arguments not taken.'),
  projects: z
    .literal(['comma-separated', 'repeated', 'one'], '"comma-separated", "repeated" or "one"')
    .default('comma-separated')
    .describe('How the query names several projects; "one" if it cannot.'),
  firstPage: z.literal([0, 1], '0 or 1').default(1).describe('Page 0 is served as page 1.'),
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
  applied: statuses(200, 299).describe('Statuses that say yes. Default: every 2xx.'),
  rejected: statuses(400, 599).describe('Statuses that say no. Default: 4xx, but 408, 460, 499.'),
  success: z
    .record(pointer, yes, onePlace)
    .refine((success) => Object.keys(success).length === 1, onePlace)
    .optional()
    .describe(
      'For an API that refuses with 2xx: the place, and the value there that means yes. A read of an unknown id may then answer yes with null in place of the study.',
    ),
});

const contractSchema = object({
  $schema: z.string('the place of the schema').optional(),
  request: request.prefault({}),
  answer: answer.prefault({}),
  operations: operations.prefault({}),
  verdicts: verdicts.prefault({}),
  keys: object({ header: header.default('Idempotency-Key') })
    .optional()
    .describe('Header that carries idempotency keys.'),
}).describe('What differs between a Study API and what study-gateway assumes of it.');

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

/** A contract, or a document to make a contract of, that cannot be used. The message has a line for each problem. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/** Returns an error that says what is wrong with a file, and why. */
export function toContractError(file: string, problem: string, cause: unknown): ContractError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ContractError(`${file} ${problem}: ${reason}`, { cause });
}

/**
 * Reads a contract.
 *
 * @throws ContractError that lists every problem: file, place as a JSON Pointer, what was expected
 */
export function readContract(file: string): Contract {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw toContractError(file, problem, error);
  }
  const { data, error } = contractSchema.safeParse(content);
  if (data) return { ...data, file };
  const problems = error.issues.flatMap((issue) => toProblems(issue, content));
  throw new ContractError(problems.map((problem) => `${file} ${problem}`).join('\n'));
}

function toProblems(issue: z.core.$ZodIssue, content: unknown): string[] {
  const { path } = issue;
  const value = path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), content);
  // The last choice of each union is the one that takes an object.
  if (issue.code === 'invalid_union' && typeof value === 'object' && value !== null)
    return (issue.errors.at(-1) ?? []).flatMap((inner) =>
      toProblems({ ...inner, path: [...path, ...inner.path] }, content),
    );
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${toPointer([...path, key])} is not known.`);
  const expected = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
  const isEmpty = value === '' ? 'is empty, and a person must settle it: it ' : '';
  return [`${toPointer(path) || 'as a whole'} ${isEmpty}must be ${expected}.`];
}

/** Returns the JSON Schema of a contract, for editors. */
export function toContractSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(contractSchema, { io: 'input' });
}
