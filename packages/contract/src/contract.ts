import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { findNearest } from './nearest-name.js';
import {
  absentable,
  answerNames,
  listArguments,
  namings,
  pageNumbers,
  progressParts,
  progressPrefix,
  requestNames,
  type FieldName,
  type Naming,
  type WriteName,
} from './study-fields.js';

/** Returns the text of a rule: `"a", "b" or "c"`. */
function toChoice(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(quoted);
}

const expectedName = 'the name that the API uses';
// Assigning to `__proto__` would change a prototype instead of adding a member.
const name = z.string(expectedName).regex(/^(?!__proto__$)[^]+$/, expectedName);
const expectedPointer = 'a JSON Pointer such as "/data"';
const pointer = z.string(expectedPointer).regex(/^(?:\/(?:[^~/]|~[01])*)+$/, expectedPointer);
const namingNames = Object.keys(namings) as Naming[];

function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, 'an object with known members');
}

function oneOf<Word extends string>(words: readonly Word[], expected = toChoice(words)) {
  return z.enum(words, expected);
}

function listOf<Word extends string>(words: readonly Word[], expected: string) {
  return z.array(oneOf(words, expected), `an array of names, each ${expected}`).default([]);
}

/** Names of fields that differ from what `naming` makes of them. A part of a progress is `progress.total`. */
function namesOf<Field extends string>(fields: readonly Field[]) {
  const parts = progressParts.map((part) => `${progressPrefix}${part}` as const);
  return z
    .partialRecord(oneOf([...fields, ...parts]), name, 'an object with names of fields')
    .default({});
}

const naming = oneOf(namingNames).default('camelCase').meta({
  description: 'Rule that makes the names of the API from the names of the GraphQL schema.',
});

function fieldsOf(operation: WriteName) {
  return listOf(requestNames[operation], `a field of the input of ${operation}`);
}

const perWrite = { createStudy: fieldsOf('createStudy'), editStudy: fieldsOf('editStudy') };

/** Names of fields as the refinements of `request` and `answer` see them. */
interface Names {
  readonly naming: Naming;
  readonly names: Readonly<Partial<Record<string, string>>>;
}

/** Returns the API's name of a field of a study. */
export function toApiName({ naming, names }: Names, field: string): string {
  return names[field] ?? namings[naming](field.replace(progressPrefix, ''));
}

const request = object({
  naming,
  names: namesOf(requestNames.createStudy),
  required: object(perWrite)
    .prefault({})
    .meta({ description: 'Fields that the API demands: a write without them is refused unsent.' }),
  absent: object(perWrite).prefault({}).meta({
    description: 'Fields that the API does not take: a write with them is refused unsent.',
  }),
}).superRefine(({ required, absent, ...names }, context) => {
  const isTaken = (field: FieldName): boolean =>
    !(['createStudy', 'editStudy'] as const).every(
      (write) => !requestNames[write].includes(field) || absent[write].includes(field),
    );
  checkNames(names, requestNames.createStudy.filter(isTaken), context);
  for (const write of ['createStudy', 'editStudy'] as const)
    for (const [index, field] of required[write].entries())
      if (absent[write].includes(field))
        context.addIssue({
          code: 'custom',
          path: ['required', write, index],
          message: `a field that is not in "absent", as "${field}" is`,
        });
});

const answer = object({
  at: pointer.optional().meta({
    description: 'Place of the study in the answer to one study. Default: the answer itself.',
  }),
  naming,
  names: namesOf(answerNames),
  absent: listOf(absentable, 'a field that may be null').meta({
    description: 'Fields that the API does not send: each is null.',
  }),
}).superRefine(({ absent, ...names }, context) => {
  const isSent = (field: FieldName): boolean => !(absent as FieldName[]).includes(field);
  checkNames(names, answerNames.filter(isSent), context);
});

/** Reports names of fields that are not there, and names that two fields share. */
function checkNames(
  { naming, names }: Names,
  fields: readonly FieldName[],
  context: z.RefinementCtx,
): void {
  const parts = progressParts.map((part) => progressPrefix + part);
  for (const group of [fields, parts])
    for (const field of group) {
      const apiName = toApiName({ naming, names }, field);
      const other = group.find(
        (other) => other !== field && toApiName({ naming, names }, other) === apiName,
      );
      if (other !== undefined && names[field] !== undefined)
        context.addIssue({
          code: 'custom',
          path: ['names', field],
          message: `a name of its own: "${apiName}" is the name of "${other}" too`,
        });
    }
  for (const field of Object.keys(names))
    if (!(fields as string[]).includes(field) && !parts.includes(field))
      context.addIssue({
        code: 'custom',
        path: ['names', field],
        message: 'a name of a field that is not in "absent"',
      });
}

const expectedPath = 'a path such as "/studies", without placeholders';
const path = z.string(expectedPath).regex(/^(?:\/[^/{}?#\s]*)+$/, expectedPath);
const expectedPathOfOne = 'a path with one placeholder for the id, such as "/studies/{id}"';
const pathOfOne = z
  .string(expectedPathOfOne)
  .regex(/^(?:\/[^/{}?#\s]*)*\/\{\w+\}(?:\/[^/{}?#\s]*)*$/, expectedPathOfOne);

const lacking = z.literal(false).meta({ description: 'The API has no such operation.' });
const expectedOperation = 'false, or an object with known members';
const list = object({
  path: path.default('/studies'),
  items: pointer
    .default('/items')
    .meta({ description: 'Place of the studies. An answer that is an array needs none.' }),
  numbers: z
    .partialRecord(oneOf(pageNumbers), pointer, 'an object with places of numbers')
    .default({})
    .meta({ description: 'Places of the page’s numbers. Default: beside the studies.' }),
  parameters: z
    .partialRecord(oneOf(listArguments), name, 'an object with names of parameters')
    .default({}),
  absent: listOf(listArguments, 'an argument of studies').meta({
    description: 'Arguments that the API does not take.',
  }),
  projects: oneOf(['comma-separated', 'repeated', 'one'])
    .default('comma-separated')
    .meta({ description: 'How the query names several projects; `one`: it cannot.' }),
  firstPage: z
    .literal([0, 1], '0 or 1')
    .default(1)
    .meta({ description: 'Number of the first page. Page 0 is served as page 1.' }),
});
const create = object({ path: path.default('/studies') });
const one = object({ path: pathOfOne.default('/studies/{study_id}') });

const operations = object({
  study: z.union([lacking, one], expectedOperation).prefault({}),
  studies: z.union([lacking, list], expectedOperation).prefault({}),
  createStudy: z.union([lacking, create], expectedOperation).prefault({}),
  editStudy: z.union([lacking, one], expectedOperation).prefault({}),
});

function statuses(min: number, max: number, description: string) {
  const expected = `a status from ${min} to ${max}`;
  const status = z.int(expected).min(min, expected).max(max, expected);
  return z.array(status, `an array, each ${expected}`).optional().meta({ description });
}

const verdicts = object({
  applied: statuses(200, 299, 'Statuses that say yes. Default: every 2xx.'),
  rejected: statuses(400, 599, 'Statuses that say no. Default: every 4xx but 408, 460 and 499.'),
  success: z
    .record(
      pointer,
      z.union(
        [z.boolean(), z.number(), z.null(), z.string().min(1, 'a value that means yes')],
        'a value that means yes',
      ),
      'an object with one place and the value there that means yes',
    )
    .refine(
      (success) => Object.keys(success).length === 1,
      'one place, with the value that means yes',
    )
    .optional()
    .meta({
      description: 'For an API that refuses with 2xx: the place and the value that mean yes.',
    }),
  reason: pointer
    .optional()
    .meta({ description: 'Place of the text that says why a call failed.' }),
});

const reserved =
  /^(?:authorization|host|cookie|te|upgrade|expect|connection|content-.*|transfer-.*|accept.*)$/i;
const expectedHeader = 'the name of a header that the gateway does not set itself';
const keys = object({
  header: z
    .string(expectedHeader)
    .regex(/^[!#$%&'*+.^`|~\w-]+$/, expectedHeader)
    .refine((header) => !reserved.test(header), expectedHeader)
    .default('Idempotency-Key'),
});

/** Schema of the file that says how a Study API differs from what the gateway assumes. */
export const contractSchema = object({
  $schema: z.string('a URL or path of the schema').optional(),
  request: request.prefault({}),
  answer: answer.prefault({}),
  operations: operations.prefault({}),
  verdicts: verdicts.prefault({}),
  keys: keys.optional().meta({
    description: 'Given if the API honours idempotency keys: a repeated write is made once.',
  }),
}).meta({ title: 'Contract of a Study API, as study-gateway knows it' });

/** What the file says. */
export type ContractFile = z.input<typeof contractSchema>;

/** What holds of an API: what the file says, and what is assumed besides. */
export interface Contract extends z.output<typeof contractSchema> {
  /** Path of the file, for messages; `undefined` without a file. */
  readonly file?: string | undefined;
}

/** What is assumed of an API without a file. */
export const assumed: Contract = contractSchema.parse({});

/** A contract that cannot be used. The message has a line for each problem. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/**
 * Reads a contract.
 *
 * @throws ContractError that lists every problem: file, place as a JSON Pointer, what was expected, the nearest name
 */
export function readContract(file: string): Contract {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new ContractError(`${file} ${reason}: ${(error as Error).message}`, { cause: error });
  }
  return { ...toContract(content, file), file };
}

/** @throws ContractError as `readContract` does */
export function toContract(content: unknown, file = 'The contract'): Contract {
  const { data, error } = contractSchema.safeParse(content);
  if (data) return data;
  const problems = error!.issues.flatMap((issue) => toProblems(issue, content));
  throw new ContractError(problems.map((problem) => `${file} ${problem}`).join('\n'));
}

function toProblems(issue: z.core.$ZodIssue, content: unknown): string[] {
  const { path } = issue;
  const value = readPath(content, path);
  if (issue.code === 'invalid_union' && typeof value === 'object' && value !== null)
    return (issue.errors.at(-1) ?? []).flatMap((inner) =>
      toProblems({ ...inner, path: [...path, ...inner.path] }, content),
    );
  const schema = readSchema(path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `${toPointer([...path, key])} is not known.${toHint(key, toKnownNames(schema))}`,
    );
  const place = toPointer(path);
  if (issue.code === 'invalid_key') return [`${place} must be ${issue.issues[0]?.message}.`];
  if (value === '')
    return [`${place} is empty, and a person must settle it: it must be ${issue.message}.`];
  const known = schema?.enum;
  const hint = typeof value === 'string' && known ? toHint(value, known.map(String)) : '';
  return [`${place || 'as a whole'} must be ${issue.message}.${hint}`];
}

function toHint(wrong: string, known: readonly string[]): string {
  const near = known.includes(wrong) ? undefined : findNearest(wrong, known);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}

function toPointer(path: readonly PropertyKey[]): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function readPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, step) => (inner as Record<PropertyKey, unknown>)?.[step], value);
}

/** Returns the JSON Schema of a contract, for editors. */
export function toContractSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(contractSchema, { io: 'input' });
}

/** Returns the JSON Schema at a place of the file, as far as it knows the place. */
function readSchema(path: readonly PropertyKey[]): z.core.JSONSchema.JSONSchema | undefined {
  let schema: z.core.JSONSchema._JSONSchema | undefined = toContractSchema();
  for (const step of path) {
    if (typeof schema !== 'object') return undefined;
    const object: z.core.JSONSchema.JSONSchema =
      (schema.anyOf?.at(-1) as z.core.JSONSchema.JSONSchema | undefined) ?? schema;
    schema = typeof step === 'number' ? (object.items as never) : object.properties?.[String(step)];
  }
  return typeof schema === 'object' ? schema : undefined;
}

function toKnownNames(schema: z.core.JSONSchema.JSONSchema | undefined): readonly string[] {
  const object = (schema?.anyOf?.at(-1) as typeof schema) ?? schema;
  const names = object?.propertyNames;
  if (typeof names === 'object') return (names.enum ?? []).map(String);
  return Object.keys(object?.properties ?? {});
}
