import { z } from 'zod';
import { isJsonObject } from '../rest/json-body.js';
import type { JsonObject } from '../rest/rest-call.js';
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
  if (issue.path.length > 0)
    return { type, fault: `${toTypeName(toPart(value, issue.path))} inside` };
  const isOfType = issue.code !== 'invalid_type' && typeof value === 'string';
  return { type, fault: isOfType ? toTextForm(value) : type };
}

function toPart(value: unknown, path: readonly PropertyKey[]): unknown {
  let part = value;
  for (const key of path) part = Object(part)[key];
  return part;
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
  const [form = 'another string'] = [...textForms].find(([, pattern]) => pattern.test(text)) ?? [];
  return form;
}
