import {
  BREAK,
  getLocation,
  isValueNode,
  Kind,
  visit,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLFormattedError,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type SourceLocation,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import { cutQuoted, cutQuotedTexts, cutScalarValue } from '../execution/quoted-value.js';
import { RefusedVariableError } from '../execution/variable-refusals.js';
import type { FieldError } from './refusal.js';

/** Begin of the suggestion that graphql-js appends to a message: similar names from the schema, and a question mark. */
const SUGGESTION = 'Did you mean ';
/** Maximum length of a message, in characters. Messages of graphql-js quote the request; Apollo's own messages are shorter. */
const MAX_MESSAGE_LENGTH = 400;
/** Maximum number of locations in one error. */
const MAX_LOCATIONS = 5;

/** Formats an error with which graphql-js, Apollo or a resolver refused a request before any REST call. */
export function formatGraphQLError(
  formatted: GraphQLFormattedError,
  error: GraphQLError,
  document: DocumentNode | undefined,
  hideSuggestions: boolean,
): GraphQLFormattedError {
  const { locations, path, extensions } = formatted;
  const refused = document && findRefusedValue(error, document, path !== undefined);
  const places = [...(locations ?? []), ...(refused?.usedAt ? [refused.usedAt] : [])];
  const hint = toQuotesHint(error);
  const tidy = (message: string): string => {
    const told = hideSuggestions ? withoutSuggestion(message) : message;
    return cut(cutQuotedTexts(cutScalarValue(told)) + hint);
  };
  // Two kinds of errors may have no code, and Apollo would call them server errors: an argument that graphql-js refuses
  // when it executes the field, and a request that Apollo cannot run.
  const code = error.extensions.code ?? (path ? 'BAD_USER_INPUT' : 'BAD_REQUEST');
  return {
    ...formatted,
    message: tidy(formatted.message),
    ...(places.length > 0 && { locations: places.slice(0, MAX_LOCATIONS) }),
    extensions: {
      outcome: 'NOT_SENT',
      retryable: false,
      ...extensions,
      code,
      ...(refused && {
        fieldErrors: [{ path: refused.path, message: tidy(refused.message) }],
      }),
    },
  };
}

/** Takes linear time. The names in a suggestion cannot contain the begin of another suggestion. */
function withoutSuggestion(message: string): string {
  const start = message.endsWith('?') ? message.lastIndexOf(SUGGESTION) : -1;
  return start === -1 ? message : message.slice(0, start).trimEnd();
}

function cut(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`;
}

/**
 * Returns a hint to quote a string that the client wrote as an enum value, such as `strategy: concept_study`; an empty
 * string for any other error.
 */
function toQuotesHint({ message, nodes }: GraphQLError): string {
  const node = nodes?.[0];
  if (node?.kind !== Kind.ENUM || !message.startsWith('String cannot represent')) return '';
  return `. Put it in quotes: "${cutQuoted(node.value)}".`;
}

/** A value in the request that GraphQL has refused, with its place. */
interface RefusedValue extends FieldError {
  /** Location of the argument that uses the refused variable; `undefined` if the error has the location of the value. */
  readonly usedAt?: SourceLocation | undefined;
}

/**
 * Returns the value that an error of graphql-js is about: a variable, a literal, or a value in one of them. Returns
 * `undefined` for any other error.
 *
 * @param isExecuted whether graphql-js reported the error while it executed a field
 */
function findRefusedValue(
  error: GraphQLError,
  document: DocumentNode,
  isExecuted: boolean,
): RefusedValue | undefined {
  if (error instanceof RefusedVariableError) {
    const { definition, reason, within } = error;
    const use = findFirstUse(document, definition);
    const path = [...toVariablePath(definition, use), ...within];
    const usedAt = use?.node.loc && getLocation(use.node.loc.source, use.node.loc.start);
    return { path, message: reason, usedAt };
  }
  const node = error.nodes?.[0];
  // An error at another node is not about a value. Validation refuses a variable for its declaration, not for its value.
  if (!node || !(isValueNode(node) || node.kind === Kind.OBJECT_FIELD)) return undefined;
  if (node.kind === Kind.VARIABLE && !isExecuted) return undefined;
  const path = findValuePath(document, node);
  return path && { path, message: error.message };
}

/** Path of a value in the arguments of a field, from the name of the argument: `["input", "audiences", 0]`. */
type ArgumentPath = FieldError['path'];

/** A place in the arguments of a field. */
interface ArgumentPlace {
  readonly node: ValueNode | ObjectFieldNode;
  readonly path: ArgumentPath;
}

/**
 * Returns the path of a value in the arguments of a field. A value in the default of a variable has the path of the
 * variable's first use. Returns `undefined` for a node of another kind, and for a value in a directive.
 */
function findValuePath(document: DocumentNode, node: ASTNode): ArgumentPath | undefined {
  let found: ArgumentPath | undefined;
  const search = (value: ValueNode, path: ArgumentPath) => {
    walk(value, path, (place) => {
      if (place.node === node) found = place.path;
    });
    return found ? BREAK : false;
  };
  visit(document, {
    Directive: () => false,
    Argument: ({ name, value }) => search(value, [name.value]),
    VariableDefinition: (definition) =>
      definition.defaultValue &&
      search(
        definition.defaultValue,
        toVariablePath(definition, findFirstUse(document, definition)),
      ),
  });
  return found;
}

/** Returns the path of a variable: of its first use, or its own name if only directives use the variable. */
function toVariablePath(
  { variable }: VariableDefinitionNode,
  firstUse: ArgumentPlace | undefined,
): ArgumentPath {
  return firstUse?.path ?? [variable.name.value];
}

/** Uses are kept, because one request can have an error for each of many variables. */
const usesOf = new WeakMap<OperationDefinitionNode, ReadonlyMap<string, ArgumentPlace>>();

/**
 * Returns the first place, in the order of execution, at which the arguments of an operation's fields use a variable.
 * Returns `undefined` for a variable that only directives use.
 */
function findFirstUse(
  document: DocumentNode,
  definition: VariableDefinitionNode,
): ArgumentPlace | undefined {
  const operation = document.definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .find(({ variableDefinitions }) => variableDefinitions?.includes(definition));
  if (!operation) return undefined;
  const uses = usesOf.get(operation) ?? findFirstUses(document, operation);
  usesOf.set(operation, uses);
  return uses.get(definition.variable.name.value);
}

/** Returns the first use of each variable by its name. */
function findFirstUses(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): ReadonlyMap<string, ArgumentPlace> {
  const uses = new Map<string, ArgumentPlace>();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const note = (place: ArgumentPlace): void => {
    if (place.node.kind !== Kind.VARIABLE || uses.has(place.node.name.value)) return;
    uses.set(place.node.name.value, place);
  };
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD)
        for (const { name, value } of selection.arguments ?? []) walk(value, [name.value], note);
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      // A fragment that is spread again has the uses of its first spread.
      if (selection.kind === Kind.FRAGMENT_SPREAD) fragments.delete(selection.name.value);
      if (inner?.selectionSet) collect(inner.selectionSet);
    }
  };
  collect(selectionSet);
  return uses;
}

/** Calls `onPlace` with a value and all values in it. An entry of an object has the path of the object. */
function walk(value: ValueNode, path: ArgumentPath, onPlace: (place: ArgumentPlace) => void): void {
  onPlace({ node: value, path });
  if (value.kind === Kind.LIST)
    for (const [index, item] of value.values.entries()) walk(item, [...path, index], onPlace);
  if (value.kind === Kind.OBJECT)
    for (const field of value.fields) {
      onPlace({ node: field, path });
      walk(field.value, [...path, field.name.value], onPlace);
    }
}
