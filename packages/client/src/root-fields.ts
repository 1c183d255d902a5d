import { isRecord, type Answer } from './answer.js';

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
 * Whether each of these root fields has failed: it is `null` beside an error of its own. A root field without an error may
 * have written.
 */
export function haveFailed(names: readonly string[], { errors, data }: Answer): boolean {
  const hasError = (name: string) =>
    errors.some(({ path }) => Array.isArray(path) && path[0] === name);
  return names.every((name) => name === '__typename' || (hasError(name) && !data?.[name]));
}
