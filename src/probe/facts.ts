import { z } from 'zod';
import {
  isJsonObject,
  toRetryAfterSeconds,
  type JsonObject,
  type RawAnswer,
  type RestError,
} from 'rest-outcome';
import { isPlainName } from '../study/field-name.js';
import { knownStrategies } from '../study/strategies.js';
import { studyFields, toTypeName, toWireName, type StudyField } from '../study/study.wire.js';
import type { FieldFacts, Observation, PageFacts, StudyFacts } from './observation.js';
import type { Step } from './steps.js';

/** Assigns a number to each id, so that checks can compare ids without seeing them. */
export class Aliases {
  readonly #numbers = new Map<string, number>();

  /** Returns the number of an id, ignoring its letter case; `undefined` if `value` is not a string. */
  of(value: unknown): number | undefined {
    if (typeof value !== 'string') return undefined;
    const id = value.toLowerCase();
    if (!this.#numbers.has(id)) this.#numbers.set(id, this.#numbers.size + 1);
    return this.#numbers.get(id);
  }
}

const pageParts = ['items', 'total', 'page', 'size', 'pages'];
const strategies: readonly unknown[] = knownStrategies;

/** Returns the studies in a body: for a list, the items of a page or a bare array; for a read, the body itself. */
export function toStudies(step: Step, body: unknown): readonly JsonObject[] {
  if (!step.id.startsWith('list')) return isJsonObject(body) ? [body] : [];
  const items = isJsonObject(body) ? body['items'] : body;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** Body of a validation error of FastAPI (422), as a client of FastAPI reads it. */
const fastApiErrorSchema = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string() })),
});

/** Returns facts about a body that contain none of its values. */
export function toBodyFacts(
  step: Step,
  body: unknown,
  aliases: Aliases,
): Pick<Observation, 'type' | 'isFastApiError' | 'studies' | 'page'> {
  return {
    type: toTypeName(body),
    isFastApiError: fastApiErrorSchema.safeParse(body).success,
    studies: toStudies(step, body).map((study) => toStudyFacts(study, aliases)),
    page: step.page && isJsonObject(body) ? toPageFacts(body, step.page) : undefined,
  };
}

function toPageFacts(body: JsonObject, asked: { page: number; size: number }): PageFacts {
  const toEcho = (value: unknown, number: number): PageFacts['page'] => {
    if (typeof value !== 'number') return 'none';
    return value === number ? 'as asked' : 'another';
  };
  return {
    parts: new Map(pageParts.map((name) => [name, toTypeName(body[name])])),
    page: toEcho(body['page'], asked.page),
    size: toEcho(body['size'], asked.size),
  };
}

function toStudyFacts(study: JsonObject, aliases: Aliases): StudyFacts {
  const further = Object.keys(study).filter((name) =>
    studyFields.every(({ wireName }) => wireName !== name),
  );
  const toValue = (name: string): unknown => study[toWireName(name)];
  const graphs = toValue('knowledgeGraphs');
  const createdAt = toValue('createdAt');
  return {
    fields: new Map([
      ...studyFields.map((field) => [field.wireName, toFieldFacts(field, study)] as const),
      ...further.map((name) => [toSafeName(name), { type: toTypeName(study[name]) }] as const),
    ]),
    id: aliases.of(toValue('id')),
    projectId: aliases.of(toValue('projectId')),
    hasOffset: typeof createdAt === 'string' ? OFFSET.test(createdAt) : undefined,
    hasStrategiesAsGraphs:
      Array.isArray(graphs) &&
      graphs.length > 0 &&
      graphs.every((graph) => strategies.includes(graph)),
  };
}

function toFieldFacts({ wireName, schema }: StudyField, study: JsonObject): FieldFacts {
  const value = study[wireName];
  const type = toTypeName(value);
  const issue = schema.safeParse(value).error?.issues[0];
  if (!issue) return { type };
  if (issue.path.length > 0) {
    const part = issue.path.reduce((inner: unknown, key) => Object(inner)[key], value);
    return { type, fault: `${toTypeName(part)} inside` };
  }
  const isOfType = issue.code !== 'invalid_type' && typeof value === 'string';
  return { type, fault: isOfType ? toTextForm(value) : type };
}

/** Returns a field's name, or only its length if the name may be a value or a secret. */
function toSafeName(name: string): string {
  return isPlainName(name) ? name : `a name of ${name.length} characters`;
}

const OFFSET = /(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Formats by name of a string that the schema refuses. */
const textForms = new Map([
  ['a date and time in another format', /^\d{4}-\d\d-\d\d[T ]/i],
  ['a date', /^\d{4}-\d\d-\d\d$/],
  ['digits', /^\d+(\.\d+)?$/],
]);

function toTextForm(text: string): string {
  return [...textForms].find(([, pattern]) => pattern.test(text))?.[0] ?? 'another string';
}

const mediaTypes = ['application/json', 'application/problem+json', 'text/html', 'text/plain'];
const encodings = ['identity', 'gzip', 'x-gzip', 'deflate', 'br', 'zstd'];

/** Returns facts about the status and the headers of an answer. */
export function toReplyFacts({ status, headers, body }: RawAnswer) {
  const [mediaType = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return {
    status,
    bytes: body.length,
    mediaType: toKnown(mediaType.trim(), mediaTypes),
    encoding: toKnown(encoding, encodings),
    retryAfter: toRetryAfterForm(headers['retry-after']),
  };
}

/** Returns the text of a header only if the text is expected: any other text could contain a secret. */
function toKnown(text: string, expected: readonly string[]): string {
  if (text === '') return 'none';
  return expected.includes(text) ? text : 'another';
}

function toRetryAfterForm(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (toRetryAfterSeconds(header) === undefined) return 'neither';
  return /^\s*\d+\s*$/.test(header) ? 'seconds' : 'a date';
}

/** Returns facts about a request without a complete answer. */
export function toFailureFacts({ failure, message, cause, status }: RestError) {
  return {
    failure: { name: failure, message: message + toCode(cause) },
    status,
    bytes: 0,
    mediaType: 'none',
    encoding: 'none',
    type: 'nothing',
    isFastApiError: false,
    studies: [],
  };
}

/** Returns the code of a system or TLS error: ` (ECONNREFUSED)`. Leaves out the error's message, which could quote secrets. */
function toCode(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z\d_]{1,64}$/.test(code) ? ` (${code})` : '';
}
