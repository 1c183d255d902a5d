import { readFileSync, writeFileSync } from 'node:fs';
import { isObject, type Contract, type JsonObject } from 'study-gateway-contract';
import type { Line } from './evidence.js';

/** Place of the JSON Schema for editors, relative to a project that has installed the package. */
const $schema = './node_modules/study-gateway-contract/contract.schema.json';

/** Returns the content of a contract's file, changed by lines. */
export function toFile({ file }: Contract, lines: readonly Line[]): JsonObject {
  const content: unknown = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
  return lines.reduce<JsonObject>(
    (changed, { at, value }) => setAt(changed, at.split('/').slice(1), value),
    { $schema, ...(isObject(content) ? content : {}) },
  );
}

function setAt(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): JsonObject {
  const { [name]: inner, ...others } = object;
  const set = rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value);
  const isGone = set === undefined || (isObject(set) && Object.keys(set).length === 0);
  return isGone ? others : { ...object, [name]: set };
}

/** Returns JSON as a person would write it: a list of names in one line. */
export function toText(content: JsonObject): string {
  const text = JSON.stringify(content, null, 2);
  return `${text.replaceAll(/\[\s+([^[\]{}]*?)\s+\]/g, (_, items: string) => `[${items.replaceAll(/\s+/g, ' ')}]`)}\n`;
}

/** Claims the path of a new file: one that is there may hold what a person has settled. */
export function claimFile(path: string): (text: string) => void {
  writeFileSync(path, '', { flag: 'wx' });
  return (text) => writeFileSync(path, text);
}
