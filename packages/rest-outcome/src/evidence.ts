import type { IncomingHttpHeaders } from 'node:http';
import type { Entity, JsonObject, Read } from './call.js';

/** Status, headers and body of an answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body as received. May be incomplete if the status does not say yes. */
  readonly body: Buffer;
}

/** Returns the value of a JSON text: `JSON.parse`, or a parser with exact numbers. */
export type ParseJson = (text: string) => unknown;

/** Throws `TypeError` on invalid UTF-8, and drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An array, and a number of a parser that keeps numbers exact, have other prototypes. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns the JSON value of a body, or `undefined` for a body that is not JSON in UTF-8, or that `parse` cannot read. */
export function readJson(body: Buffer, parse: ParseJson): unknown {
  try {
    return parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** Returns the body, or `undefined` if it has a content encoding, which the client never asks for. An empty body has none. */
export function toPlainBody({ headers, body }: RawAnswer): Buffer | undefined {
  const { 'content-encoding': encoding = '' } = headers;
  return body.length === 0 || /^(?:identity)?$/i.test(encoding) ? body : undefined;
}

/** Proof in a 2xx about a call whose result cannot be returned, and the id that the answer shows. */
export interface Evidence {
  readonly outcome: 'APPLIED' | 'UNKNOWN';
  readonly id?: string | undefined;
}

export const noEvidence: Evidence = { outcome: 'UNKNOWN' };

/** Maximum length of the part of a body in which the id is looked for: the search parses the part about ten times. */
const MAX_EXAMINED_BYTES = 65_536;

/**
 * Returns what a 2xx proves whose body is not JSON as a whole. The id proves the write, if it stands in the part that is
 * JSON. So does the begin of an object that is cut before its id, but only under 201. Everything else may be a proxy's
 * answer, or a rejection.
 */
export function toPartEvidence(
  { entity }: Pick<Read, 'entity'>,
  answer: RawAnswer,
  isCut: boolean,
): Evidence {
  const part = toPlainBody(answer)?.subarray(0, MAX_EXAMINED_BYTES);
  const members = readMembers(new TextDecoder().decode(part));
  if (!members || !entity) return noEvidence;
  const id = readEntityId(entity, members);
  if (typeof id === 'string') return { outcome: 'APPLIED', id };
  return id === undefined && isCut && answer.status === 201 ? { outcome: 'APPLIED' } : noEvidence;
}

/**
 * Returns the id in an answer. Returns `undefined` if it is missing, and `null` if it is another id than that asked for or
 * cannot be read: an error in a timer would end the process.
 */
export function readEntityId(entity: Entity, answer: JsonObject): string | null | undefined {
  try {
    const id = entity.readId(answer);
    return typeof id !== 'string' || (entity.isAskedFor?.(id) ?? true) ? id : null;
  } catch {
    return null;
  }
}

/**
 * Returns the members of a JSON object that stand complete in the begin of its text, up to the first that is no JSON.
 * Returns `undefined` if the text does not begin with an object.
 */
function readMembers(begin: string): JsonObject | undefined {
  if (!/^\s*\{\s*(?:"|$)/.test(begin)) return undefined;
  let members = parseObject(begin);
  if (members) return members;
  const ends = [...findCommas(begin), begin.length];
  // Searches for the last end before which all is JSON. If that holds of one end, it holds of all before it.
  for (let [low, high] = [0, ends.length - 1]; low <= high;) {
    const middle = Math.floor((low + high) / 2);
    const read = parseObject(`${begin.slice(0, ends[middle])}}`);
    if (read) [members, low] = [read, middle + 1];
    else high = middle - 1;
  }
  return members ?? {};
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Matches a string, which may be cut, and each mark between values. A match of megabytes would overflow V8's stack. */
const MARKS = /"[^"\\]*(?:\\.?[^"\\]*)*"?|[,[\]{}]/gs;

/** Returns the indexes of the commas between members of the outermost object. Accepts a text that is no JSON. */
function findCommas(text: string): number[] {
  const commas: number[] = [];
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    else if (mark === ',' && depth === 1) commas.push(index);
  }
  return commas;
}
