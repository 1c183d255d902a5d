import {
  isJsonObject,
  toRetryAfterSeconds,
  type FailureName,
  type JsonObject,
  type RawAnswer,
  type RestError,
} from 'rest-outcome';
import { z } from 'zod';
import { isPlainName } from '../study/field-name.js';
import { knownStrategies } from '../study/strategies.js';
import { studyFields, toTypeName, type StudyField } from '../study/study.wire.js';
import type { Step } from './steps.js';

/** One request and its answer: statuses, types, lengths and times, never values. */
export interface Observation extends Facts {
  /** Number of the request in this run; 3 for `GET #3`. */
  readonly number: number;
  /** Id of the step that sent the request. */
  readonly step: string;
  /** Alias of the id in the request. */
  readonly asked: number | undefined;
  /** Source of the id in the request, such as `item 1 of GET #1`; `undefined` if the request has no such id. */
  readonly origin?: string | undefined;
  readonly ms: number;
}

/** Facts about an answer. Without a complete answer, most are `undefined`. */
interface Facts extends Partial<Omit<ReplyFacts & BodyFacts, 'status' | 'studies'>> {
  readonly status: number | undefined;
  /** Reason why there is no complete answer. The name is `unreadableAnswer` if the answer was too long. */
  readonly failure?: { readonly name: FailureName; readonly message: string };
  readonly bytes: number;
  readonly studies: readonly StudyFacts[];
}

type ReplyFacts = ReturnType<typeof toReplyFacts>;
type BodyFacts = ReturnType<typeof toBodyFacts>;
/** Facts about one study of an answer. Ids are aliases: numbers in the order in which the probe received the ids. */
export type StudyFacts = ReturnType<typeof toStudyFacts>;

/** Facts about one field of a study: its type, never its value. */
interface FieldFacts {
  /** JSON type in words, such as `a string` or `null`; `nothing` if the field is missing. */
  readonly type: string;
  /** Received type or format, if the schema of study.wire refuses the value: `a number`, `null inside`, `a date`. */
  readonly fault?: string;
}

/** Everything that one run has observed: the input of all checks. */
export interface Evidence {
  readonly observations: readonly Observation[];
  /** Why the probe stopped early; `undefined` if it ran to its end. */
  readonly stopped?: string | undefined;
}

/** Returns true if the answer is complete and its status is 2xx. */
export function isSuccess({ status = 0, failure }: Observation): boolean {
  return status >= 200 && status < 300 && !failure;
}

/** Returns the successful observations of the given steps. */
export function toAnswers(evidence: Evidence, ...steps: readonly string[]): Observation[] {
  return evidence.observations.filter((one) => steps.includes(one.step) && isSuccess(one));
}

/**
 * Returns a function that assigns a number to each id, so that checks can compare ids without seeing them. The function
 * ignores the letter case of an id, and returns `undefined` for a value that is not a string.
 */
export function createAliases() {
  const numbers = new Map<string, number>();
  return (value: unknown): number | undefined => {
    if (typeof value !== 'string') return undefined;
    const id = value.toLowerCase();
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return numbers.get(id);
  };
}

type ToAlias = ReturnType<typeof createAliases>;

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
export function toBodyFacts(step: Step, body: unknown, toAlias: ToAlias) {
  return {
    /** JSON type in words; `nothing` if the body is not JSON. */
    type: toTypeName(body),
    isFastApiError: fastApiErrorSchema.safeParse(body).success,
    /** The study of a read, or the items of a list. */
    studies: toStudies(step, body).map((study) => toStudyFacts(study, toAlias)),
    page: step.page && isJsonObject(body) ? toPageFacts(body, step.page) : undefined,
  };
}

function toPageFacts(body: JsonObject, asked: { page: number; size: number }) {
  const toEcho = (name: 'page' | 'size') => {
    if (typeof body[name] !== 'number') return 'none';
    return body[name] === asked[name] ? 'as asked' : 'another';
  };
  const parts = ['items', 'total', 'page', 'size', 'pages'];
  return {
    types: new Map(parts.map((name) => [name, toTypeName(body[name])])),
    page: toEcho('page'),
    size: toEcho('size'),
  };
}

function toStudyFacts(study: JsonObject, toAlias: ToAlias) {
  const further = Object.keys(study).filter((name) =>
    studyFields.every(({ name: known }) => known !== name),
  );
  const toValue = (name: string): unknown => study[name];
  const graphs = toValue('knowledgeGraphs');
  const createdAt = toValue('createdAt');
  return {
    /** Facts by wire name: first all fields of the contract, even missing ones, then further fields. */
    fields: new Map<string, FieldFacts>([
      ...studyFields.map((field) => [field.name, toFieldFacts(field, study)] as const),
      ...further.map((name) => [toSafeName(name), { type: toTypeName(study[name]) }] as const),
    ]),
    id: toAlias(toValue('id')),
    projectId: toAlias(toValue('projectId')),
    /** Whether `createdAt` ends with an offset; `undefined` if `createdAt` is not a string. */
    hasOffset: typeof createdAt === 'string' ? OFFSET.test(createdAt) : undefined,
    /** True if `knowledgeGraphs` has at least one element, and every element is the name of a strategy. */
    hasStrategiesAsGraphs:
      Array.isArray(graphs) &&
      graphs.length > 0 &&
      graphs.every((graph) => strategies.includes(graph)),
  };
}

function toFieldFacts({ name, schema }: StudyField, study: JsonObject): FieldFacts {
  const value = study[name];
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
    /** Length of the body before decompression. */
    bytes: body.length,
    mediaType: toKnown(mediaType.trim(), mediaTypes),
    encoding: toKnown(encoding, encodings),
    /** Format of `Retry-After`: `seconds`, `a date` or `neither`; `undefined` without the header. */
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
export function toFailureFacts({ failure: name, message, cause, status }: RestError): Facts {
  return { failure: { name, message: message + toCode(cause) }, status, bytes: 0, studies: [] };
}

/** Returns the code of a system or TLS error: ` (ECONNREFUSED)`. Leaves out the error's message, which could quote secrets. */
function toCode(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z\d_]{1,64}$/.test(code) ? ` (${code})` : '';
}
