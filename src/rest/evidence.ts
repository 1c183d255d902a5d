import { isJsonObject } from './json-body.js';
import { toOutline } from './json-size.js';
import type { JsonObject, JsonCall } from './rest-call.js';

/** What a 2xx proves of a call whose result cannot be returned. */
export interface Evidence {
  readonly outcome: 'APPLIED' | 'UNKNOWN';
  /** Id that the answer shows; `undefined` if it shows none. */
  readonly id?: string | undefined;
}

export const noEvidence: Evidence = { outcome: 'UNKNOWN' };

/**
 * Returns what a 2xx without a body proves: 201 and 204 say that the request has been fulfilled (RFC 9110 §15.3.2 and
 * §15.3.5); any other 2xx may come from a proxy, or announce work that is still to be done (202).
 */
export function toEmptyEvidence(status: number): Evidence {
  return status === 201 || status === 204 ? { outcome: 'APPLIED' } : noEvidence;
}

/**
 * Returns what the begin of a 2xx's body proves: the id that the call asks for, or the begin of an object under 201,
 * whose id would have followed. Everything else may be a proxy's answer, or a refusal.
 *
 * @param begin bytes without content encoding
 */
export function toCutEvidence({ entity }: JsonCall, status: number, begin: Buffer): Evidence {
  const shown = readMembers(new TextDecoder().decode(begin));
  if (!shown || !entity) return noEvidence;
  const id = entity.readId(shown);
  if (typeof id === 'string' && isAskedFor(entity, id)) return { outcome: 'APPLIED', id };
  return id === undefined && status === 201 ? { outcome: 'APPLIED' } : noEvidence;
}

/** Maximum size in bytes of an outline that is searched for the id. */
const MAX_OUTLINE_BYTES = 65_536;

/** Returns what a 2xx proves whose body has too many parts to be read: the id of the outer object. */
export function toOutlineEvidence(call: JsonCall, status: number, body: Buffer): Evidence {
  const outline = toOutline(body.toString()).slice(0, MAX_OUTLINE_BYTES);
  return toCutEvidence(call, status, Buffer.from(outline));
}

export function isAskedFor(entity: NonNullable<JsonCall['entity']>, id: string): boolean {
  return entity.isAskedFor?.(id) ?? true;
}

/**
 * Returns the members of a JSON object that stand complete in the begin of its text, or `undefined` if the text does not
 * begin with an object.
 */
function readMembers(begin: string): JsonObject | undefined {
  if (!/^\s*\{\s*(?:"|$)/.test(begin)) return undefined;
  const comma = findLastComma(begin);
  const members = comma === -1 ? '{' : begin.slice(0, comma);
  return parseObject(begin) ?? parseObject(`${begin}}`) ?? parseObject(`${members}}`);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the index of the last comma between members of the outermost object; -1 if there is none. */
function findLastComma(text: string): number {
  let comma = -1;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) comma = index;
  }
  return comma;
}
