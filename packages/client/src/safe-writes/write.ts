import {
  Kind,
  OperationTypeNode,
  parse,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { isRecord, parse as parseJson, type UnknownRecord } from '../answer.js';
import { attempt } from './platform.js';

export type WriteName = 'createStudy' | 'editStudy';

/** What a request body writes. */
export interface WriteRequest {
  /** The write, if it is the only root field of the only operation, and takes its key from a variable. */
  readonly write: Write | undefined;
  /** Id of the study that the body edits, in lower case: of several, the first. */
  readonly studyId: string | undefined;
  /** Says why a write passes without a key. */
  readonly warning: string | undefined;
}

export interface Write {
  readonly operation: WriteName;
  /** Id of the edited study, in lower case. */
  readonly studyId: string | undefined;
  readonly input: unknown;
  /** The value of the key's variable; `undefined` if it has none. */
  readonly key: unknown;
  /** Equal for equal documents and variables, whatever the key and the order of properties. */
  readonly fingerprint: string;
  readonly toBody: (key: string) => string;
}

/**
 * Returns what a request body writes; `undefined` if it writes no study.
 *
 * @param documents texts of trusted documents by their ids
 */
export function toWriteRequest(
  text: string,
  documents: Readonly<Record<string, string>> = {},
): WriteRequest | undefined {
  // Reads are not parsed.
  const isKnown = Object.keys(documents).length > 0 || /createStudy|editStudy/i.test(text);
  const body = isKnown ? parseJson(text) : undefined;
  if (Array.isArray(body)) return toPassing(undefined, 'it is in a batch of operations');
  if (!isRecord(body)) return undefined;
  const query = typeof body.query === 'string' ? body.query : documents[toDocumentId(body)];
  if (query === undefined)
    return toPassing(
      undefined,
      /createStudy|editStudy/i.test(String(body.operationName)) &&
        'the id of its document is not in `documents`',
    );
  const document = attempt(() => parse(query, { noLocation: true }));
  return document && readDocument(document, query, body);
}

function readDocument(
  document: DocumentNode,
  query: string,
  body: UnknownRecord,
): WriteRequest | undefined {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const [operation] =
    operations.length === 1
      ? operations
      : operations.filter(({ name }) => name?.value === body.operationName);
  if (operation?.operation !== OperationTypeNode.MUTATION) return undefined;
  const fields = toRootFields(operation.selectionSet, document);
  const field = fields.find(isWrite);
  if (!field) return undefined;
  const values = isRecord(body.variables) ? body.variables : {};
  const studyId = toStudyId(field, values);
  if (operations.length > 1) return toPassing(studyId, 'its document has several operations');
  if (fields.length > 1) return toPassing(studyId, 'its operation has several root fields');
  const key = toArgument(field, 'idempotencyKey')?.value;
  if (!key || key.kind === Kind.NULL)
    return toPassing(studyId, 'it has no variable for `idempotencyKey`');
  if (key.kind !== Kind.VARIABLE) return toPassing(studyId, false);
  const keyName = key.name.value;
  const { [keyName]: value, ...variables } = values;
  return {
    write: {
      operation: field.name.value,
      studyId,
      input: toValue(field, 'input', values),
      key: value ?? undefined,
      fingerprint: canonical([query, variables]),
      toBody: (given) => JSON.stringify({ ...body, variables: { ...variables, [keyName]: given } }),
    },
    studyId,
    warning: undefined,
  };
}

function toPassing(studyId: string | undefined, reason: string | false): WriteRequest {
  const warning = reason ? `A write passes without an idempotency key: ${reason}.` : undefined;
  return { write: undefined, studyId, warning };
}

/** The id of a trusted document, in each place where a client may send it. */
function toDocumentId({ documentId, id, doc_id: relayId, extensions }: UnknownRecord): string {
  const persisted = isRecord(extensions) ? extensions.persistedQuery : undefined;
  const hash = isRecord(persisted) ? persisted.sha256Hash : undefined;
  return String(documentId ?? id ?? relayId ?? hash);
}

/** The root fields, with those of fragments. */
function toRootFields(
  { selections }: SelectionSetNode,
  { definitions }: DocumentNode,
): readonly FieldNode[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const collect = (set: SelectionSetNode['selections']): readonly FieldNode[] =>
    set.flatMap((selection) => {
      if (selection.kind === Kind.FIELD)
        return selection.name.value === '__typename' ? [] : selection;
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return collect(selection.selectionSet.selections);
      const fragment = fragments.get(selection.name.value);
      // A fragment that contains itself is expanded once.
      fragments.delete(selection.name.value);
      return fragment ? collect(fragment.selectionSet.selections) : [];
    });
  return collect(selections);
}

function isWrite(field: FieldNode): field is FieldNode & { name: { value: WriteName } } {
  return field.name.value === 'createStudy' || field.name.value === 'editStudy';
}

function toArgument({ arguments: all = [] }: FieldNode, name: string) {
  return all.find((argument) => argument.name.value === name);
}

function toValue(field: FieldNode, name: string, values: UnknownRecord): unknown {
  const argument = toArgument(field, name);
  return argument && valueFromASTUntyped(argument.value, { ...values });
}

function toStudyId(field: FieldNode, values: UnknownRecord): string | undefined {
  if (field.name.value !== 'editStudy') return undefined;
  return toText(toValue(field, 'id', values))?.toLowerCase();
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** JSON with the properties of each object in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const properties = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`,
  );
  // oxlint-disable-next-line unicorn/no-array-sort -- `toSorted` is not in ES2022
  return `{${properties.sort().join(',')}}`;
}
