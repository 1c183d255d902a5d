import type { Answer } from './answer.js';
import { isRecord } from './layers.js';

/**
 * Returns the response names of the root fields of a parsed document. Returns `undefined` when the names cannot be told
 * without an implementation of GraphQL: if the document has several operations, or a fragment at its root.
 */
export function toRootNames(document: unknown): readonly string[] | undefined {
  const definitions = isRecord(document) ? document.definitions : undefined;
  if (!Array.isArray(definitions)) return undefined;
  const [operation, ...others] = definitions
    .filter(isRecord)
    .filter(({ kind }) => kind === 'OperationDefinition');
  if (!operation || others.length > 0 || !isRecord(operation.selectionSet)) return undefined;
  const { selections } = operation.selectionSet;
  if (!Array.isArray(selections)) return undefined;
  const names = selections.map(toResponseName);
  return names.every((name) => name !== undefined) ? names : undefined;
}

function toResponseName(selection: unknown): string | undefined {
  if (!isRecord(selection) || selection.kind !== 'Field') return undefined;
  const name = selection.alias ?? selection.name;
  return isRecord(name) && typeof name.value === 'string' ? name.value : undefined;
}

/**
 * Whether every root field of a mutation has failed: the mutation was refused as a whole, or each root field is `null`
 * beside an error of its own. A root field without an error may have written.
 *
 * @param names response names of the root fields, for errors that come without data; `undefined` if not known
 */
export function hasFailedWhole({ errors, data }: Answer, names?: readonly string[]): boolean {
  if (!data && errors.every(({ path }) => !Array.isArray(path))) return true;
  const failed = new Set(errors.map(({ path }): unknown => (Array.isArray(path) ? path[0] : '')));
  const hasFailed = (name: string) => failed.has(name) && (data?.[name] ?? null) === null;
  const fields = data ? Object.keys(data) : names;
  return fields?.every((name) => name === '__typename' || hasFailed(name)) ?? false;
}
