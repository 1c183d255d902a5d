import { isSuccess, type Exchange } from './ask.js';
import { find, type Evidence } from './evidence.js';
import { createFields, isObject, type FieldName, type JsonObject } from './fields.js';
import { findStudy, isValue, readStudy, toStudy } from './learn.js';

/** Statuses of an operation that an API does not have. */
export const missing = new Set([404, 405, 501]);

/** A 404 may be of the study: it is of the operation only if a step with a malformed id gets one too. */
export function isMissing(evidence: Evidence, { status = 0 }: Exchange, badId: string): boolean {
  return status === 404 ? find(evidence, badId)?.status === 404 : missing.has(status);
}

export const NO_FILE = 'No file can help.';

/** Returns the study in the answer to a step, by GraphQL names; `undefined` without success. */
export function show(evidence: Evidence, step: string): JsonObject | undefined {
  const exchange = find(evidence, step);
  return exchange && isSuccess(exchange) ? toShown(evidence, exchange) : undefined;
}

export function toShown(
  { contract, learned, at }: Evidence,
  { json }: Exchange,
): JsonObject | undefined {
  const study = readStudy(json, at ?? findStudy(json, contract.answer));
  const shown = toStudy(study, learned.names);
  return Object.values(shown).some((value) => value !== undefined) ? shown : undefined;
}
export function quote(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
/** Returns the fields of a body that an answer shows changed. */
export function findChanged(sent: JsonObject, shown: JsonObject): FieldName[] {
  return createFields.filter((field) => {
    const [before, after] = [sent[field], shown[field]];
    return (
      before !== undefined &&
      after !== undefined &&
      JSON.stringify(before) !== JSON.stringify(after)
    );
  });
}
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Says how a value differs, without the value. */
export function toHow(sent: unknown, shown: unknown): string {
  if (typeof sent !== typeof shown) return '';
  if (isValue('createdAt', sent, shown) && typeof sent === 'string' && typeof shown === 'string') {
    const toZone = (date: string): string => date.replace(/^.{19}[.\d]*/, '');
    return toZone(sent) === toZone(shown) ? ', with fewer digits of seconds' : ', in another zone';
  }
  return '';
}

/** Returns a study with the parts of its progress by their GraphQL names. */
export function toPartNames(names: ReadonlyMap<string, string>, study: JsonObject): JsonObject {
  const { progress } = study;
  if (!isObject(progress)) return study;
  const parts = ['total', 'completed', 'failed'].map((part) => [
    part,
    progress[names.get(`progress.${part}`) ?? part],
  ]);
  return { ...study, progress: Object.fromEntries(parts) };
}
