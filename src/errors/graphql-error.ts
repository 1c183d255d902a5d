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
    return cutQuoted(cutQuotedTexts(cutScalarValue(told)) + hint, MAX_MESSAGE_LENGTH);
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
    const path = [...(use?.path ?? [definition.variable.name.value]), ...within];
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

/** A place in the arguments of a field, or in the default of a variable. */
interface Place {
  readonly node: ValueNode | ObjectFieldNode;
  /** Path from the name of the argument, or from the variable. An entry of an object has the path of the object. */
  readonly path: ArgumentPath;
  /** Set in the default of a variable. */
  readonly variable?: VariableDefinitionNode | undefined;
}

/**
 * Returns the path of a value in the arguments of a field. A value in the default of a variable has the path of the
 * variable's first use, or its name if only directives use the variable. Returns `undefined` for a value in a directive.
 */
function findValuePath(document: DocumentNode, node: ASTNode): ArgumentPath | undefined {
  const place = findPlaces(document).get(node);
  if (!place?.variable) return place?.path;
  const use = findFirstUse(document, place.variable);
  return [...(use?.path ?? [place.variable.variable.name.value]), ...place.path];
}

/** Places are kept, because one request can have several errors. */
const placesOf = new WeakMap<DocumentNode, ReadonlyMap<ASTNode, Place>>();

function findPlaces(document: DocumentNode): ReadonlyMap<ASTNode, Place> {
  const known = placesOf.get(document);
  if (known) return known;
  const places = new Map<ASTNode, Place>();
  const note = (node: Place['node'], path: ArgumentPath, variable?: Place['variable']): void => {
    places.set(node, { node, path, variable });
    if (node.kind === Kind.LIST)
      for (const [index, item] of node.values.entries()) note(item, [...path, index], variable);
    if (node.kind === Kind.OBJECT) for (const field of node.fields) note(field, path, variable);
    if (node.kind === Kind.OBJECT_FIELD) note(node.value, [...path, node.name.value], variable);
  };
  visit(document, {
    Directive: () => false,
    Argument: ({ name, value }) => note(value, [name.value]),
    VariableDefinition: (variable) =>
      variable.defaultValue && note(variable.defaultValue, [], variable),
  });
  placesOf.set(document, places);
  return places;
}

/**
 * Returns the first place, in the order of execution, at which the arguments of an operation's fields use a variable.
 * Returns `undefined` for a variable that only directives use.
 */
function findFirstUse(document: DocumentNode, wanted: VariableDefinitionNode): Place | undefined {
  let found: Place | undefined;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const search = (root: ASTNode): void =>
    void visit(root, {
      Directive: () => false,
      VariableDefinition: () => false,
      Variable(node) {
        if (node.name.value === wanted.variable.name.value) found = findPlaces(document).get(node);
        return found && BREAK;
      },
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        // A fragment that is spread again has the uses of its first spread.
        fragments.delete(name.value);
        if (fragment) search(fragment);
        return found && BREAK;
      },
    });
  for (const node of document.definitions)
    if ('variableDefinitions' in node && node.variableDefinitions?.includes(wanted)) search(node);
  return found;
}
