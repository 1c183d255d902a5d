import {
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  valueFromASTUntyped,
  visit,
  type DocumentNode,
  type FieldNode,
} from 'graphql';
import { isRecord, parseJson } from '../answer.js';
import { attempt } from './platform.js';

export type WriteName = 'createStudy' | 'editStudy';

/** The write of a request body: the first of its root fields that writes a study. */
export interface Write {
  readonly operation: WriteName;
  /** Id of the edited study, in lower case. */
  readonly studyId: string | undefined;
  readonly input: unknown;
  /** Equal for equal documents and variables in the same order, whatever the key. */
  readonly fingerprint: string;
  readonly hasKey: boolean;
  /** Returns the body with an idempotency key; `undefined` if the body has no place for one. */
  readonly withKey: (key: string) => string | undefined;
}

/** Texts of trusted documents by their ids. */
export type Documents = Readonly<Record<string, string>>;

/** Whether a body may write a study. Trusted documents have no fields, but names. */
export const mentionsWrite = (text: string) => /\b(?:[cC]reate|[eE]dit)Study\b/.test(text);

/**
 * Returns what a request body writes; `undefined` if it writes no study, is a batch, or has a document with several
 * operations or an unknown id.
 */
export function toWrite(text: string, documents: Documents = {}): Write | undefined {
  const isKnown = mentionsWrite(text) || Object.keys(documents).length > 0;
  const body = isKnown ? parseJson(text) : undefined;
  if (!isRecord(body)) return undefined;
  const query = typeof body.query === 'string' ? body.query : documents[toDocumentId(body)];
  const document = query && attempt(() => parse(query, { noLocation: true }));
  if (!document || getOperationAST(document)?.operation !== OperationTypeNode.MUTATION)
    return undefined;
  const fields = toRootFields(document);
  const field = fields.find(({ name }) => isWriteName(name.value));
  const operation = field?.name.value;
  if (!isWriteName(operation)) return undefined;

  const values = isRecord(body.variables) ? { ...body.variables } : {};
  const toArgument = (name: string) =>
    field?.arguments?.find((argument) => argument.name.value === name)?.value;
  const toValue = (name: string) => {
    const argument = toArgument(name);
    return argument && valueFromASTUntyped(argument, values);
  };
  const key = toArgument('idempotencyKey');
  const keyName = key?.kind === Kind.VARIABLE && fields.length === 1 ? key.name.value : '';
  const variables = Object.entries(values).filter(([name]) => name !== keyName);
  return {
    operation,
    studyId: operation === 'editStudy' ? String(toValue('id')).toLowerCase() : undefined,
    input: toValue('input'),
    fingerprint: JSON.stringify([query, variables]),
    hasKey: (toValue('idempotencyKey') ?? undefined) !== undefined,
    withKey: (given) =>
      keyName === ''
        ? undefined
        : JSON.stringify({ ...body, variables: { ...values, [keyName]: given } }),
  };
}

/** Returns the root fields of a mutation, with those of fragments. */
function toRootFields(document: DocumentNode): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  visit(document, {
    FragmentDefinition: ({ typeCondition: { name } }) =>
      name.value === 'Mutation' ? undefined : false,
    Field: (field) => {
      if (field.name.value !== '__typename') fields.push(field);
      return false;
    },
  });
  return fields;
}

function isWriteName(name: unknown): name is WriteName {
  return name === 'createStudy' || name === 'editStudy';
}

/** The id of a trusted document, in each place where a client may send it. */
function toDocumentId({ documentId, id, doc_id: relayId, extensions }: Record<string, unknown>) {
  const persisted = isRecord(extensions) ? extensions.persistedQuery : undefined;
  const hash = isRecord(persisted) ? persisted.sha256Hash : undefined;
  return String(documentId ?? id ?? relayId ?? hash);
}
