import {
  coerceInputValue,
  getNamedType,
  GraphQLError,
  isInputObjectType,
  isInputType,
  isNonNullType,
  Kind,
  typeFromAST,
  visit,
  type ArgumentNode,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { toErrorResponse, withoutStack, type ErrorHandling } from 'planned-execution';
import type { Context } from '../context.js';
import type { OperationListener } from './listener.js';

type Path = readonly (string | number)[];

/** Maximum number of errors about the variables of a request. */
const MAX_ERRORS = 10;
/** Thrown to end the coercion when there are enough errors. */
const enough = new Error('enough errors');

/**
 * Creates a listener that refuses variables in place of graphql-js, whose messages repeat whole values. Place the listener
 * after execution plans: an operation that a plan answers has no wrong variables.
 */
export function createVariableCheck(
  schema: GraphQLSchema,
  handling: ErrorHandling<Context>,
): OperationListener {
  return {
    async responseForOperation(context) {
      const { document, operation, request } = context;
      // Apollo's type is wrong: `operation` is undefined if the document has no operation with the requested name.
      if (!(operation as unknown)) return null;
      const given = request.variables ?? {};
      const errors = withoutStack(() => findErrors(schema, document, operation, given));
      if (errors.length === 0) return null;
      return toErrorResponse(errors, context, handling);
    },
  };
}

/** Coerces the variables of an operation by graphql-js. Returns an error for each value that does not fit, up to `MAX_ERRORS`. */
function findErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): GraphQLError[] {
  const errors: GraphQLError[] = [];
  try {
    for (const definition of operation.variableDefinitions ?? []) {
      const name = definition.variable.name.value;
      const type = typeFromAST(schema, definition.type);
      // Validation has refused any other type.
      if (!isInputType(type)) continue;
      const refuse = (reason: string, path: Path): void => {
        const { argument } = findUses(document, operation, name);
        if (errors.push(toError(definition, reason, path, argument)) === MAX_ERRORS) throw enough;
      };
      if (Object.hasOwn(given, name))
        coerceInputValue(given[name], type, (path, value, { message }) =>
          refuse(toReason(message, value, toTypeAt(type, path)), path),
        );
      else if (!definition.defaultValue && isNonNullType(type)) refuse('must be given', []);
      // GraphQL allows null in a condition with a default; graphql-js would report the error only after the write.
      const isNull = errors.length === 0 && given[name] === null && !isNonNullType(type);
      if (isNull && findUses(document, operation, name).isCondition)
        refuse('must not be null: a directive needs true or false', []);
    }
  } catch (error) {
    if (error !== enough) throw error;
  }
  return errors;
}

/** Returns what has a variable as its whole value: the first such argument of a field, and whether a directive has. */
function findUses(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variable: string,
): { readonly argument: string | undefined; readonly isCondition: boolean } {
  const isUse = ({ value }: ArgumentNode): boolean =>
    value.kind === Kind.VARIABLE && value.name.value === variable;
  let argument: string | undefined;
  let isCondition = false;
  visit(document, {
    // Skips other operations, whose variables may have the same names.
    OperationDefinition: (node) => (node === operation ? undefined : false),
    Field: ({ arguments: args = [] }) => void (argument ??= args.find(isUse)?.name.value),
    Directive: ({ arguments: args = [] }) => void (isCondition ||= args.some(isUse)),
  });
  return { argument, isCondition };
}

/** Returns the type at a path within a value, without its lists. */
function toTypeAt(type: GraphQLInputType, path: Path): GraphQLNamedInputType {
  let named = getNamedType(type);
  for (const step of path)
    if (isInputObjectType(named) && typeof step === 'string')
      named = getNamedType(named.getFields()[step]!.type);
  return named;
}

/** Matches messages of graphql-js about an unknown or a missing field. A name is shown if it is an identifier of at most 40 characters. */
const ABOUT_FIELD = /^Field "([_A-Za-z]\w{0,39})" (?:(is not defined by)|of required) type /;

/** Returns why graphql-js refuses a value: a reason made of types and names of the schema, without the value. */
function toReason(message: string, value: unknown, type: GraphQLNamedInputType): string {
  if (value === null || value === undefined) return 'must not be null';
  const [, field, isUnknown] = ABOUT_FIELD.exec(message) ?? [];
  if (field !== undefined) return `${isUnknown ? 'has no' : 'must have the'} field "${field}"`;
  const { expected } = type.extensions;
  return `must be ${typeof expected === 'string' ? expected : `of the type ${type.name}`}`;
}

/** @param path place of the refused value within the variable: `["audiences", 0]`; empty for the whole variable */
function toError(
  definition: VariableDefinitionNode,
  reason: string,
  path: Path,
  argument: string | undefined,
): GraphQLError {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  const message = `${reason[0]!.toUpperCase()}${reason.slice(1)}.`;
  const fieldErrors = argument === undefined ? undefined : [{ path: [argument, ...path], message }];
  return new GraphQLError(`$${definition.variable.name.value}${steps} ${reason}.`, {
    nodes: definition,
    // The code and the status are Apollo's for such a value.
    extensions: { code: 'BAD_USER_INPUT', fieldErrors, http: { status: 400 } },
  });
}
