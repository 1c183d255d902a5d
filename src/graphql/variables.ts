import { HeaderMap } from '@apollo/server';
import {
  coerceInputValue,
  getNamedType,
  GraphQLError,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  visit,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';
import {
  findRootFields,
  toErrorResponse,
  withoutStack,
  type ErrorHandling,
} from 'planned-execution';
import type { Context } from '../context.js';
import type { OperationListener } from './listener.js';

type Path = readonly (string | number)[];

/** Maximum number of errors about the variables of a request. */
const MAX_ERRORS = 10;
/** HTTP head of an answer to variables that are refused: Apollo's status. */
const badRequest = { status: 400, headers: new HeaderMap() };
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
      return { ...(await toErrorResponse(errors, context, handling)), http: badRequest };
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
        const argument = findArgument(document, operation, name);
        if (errors.push(toError(definition, reason, path, argument)) === MAX_ERRORS) throw enough;
      };
      if (Object.hasOwn(given, name))
        coerceInputValue(given[name], type, (path, value, { message }) =>
          refuse(toReason(message, value, toTypeAt(type, path)), path),
        );
      else if (!definition.defaultValue && isNonNullType(type)) refuse('must be given', []);
      if (errors.length === 0 && given[name] === null && isCondition(document, operation, name))
        refuse('must not be null: a directive needs true or false', []);
    }
  } catch (error) {
    if (error !== enough) throw error;
  }
  return errors;
}

/**
 * Returns whether a directive of the operation, or of a fragment, takes its condition from a variable. GraphQL allows null in
 * such a variable if it has a default; graphql-js would report the error only after the write.
 */
function isCondition(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variable: string,
): boolean {
  let isFound = false;
  visit(document, {
    // Skips other operations, whose variables may have the same names.
    OperationDefinition: (node) => (node === operation ? undefined : false),
    Directive: ({ arguments: args = [] }) => {
      isFound ||= args.some(
        ({ value }) => value.kind === Kind.VARIABLE && value.name.value === variable,
      );
    },
  });
  return isFound;
}

/** Returns the type at a path within a value. A value in place of a list has no index in its path. */
function toTypeAt(type: GraphQLInputType, [step, ...rest]: Path): GraphQLInputType {
  if (step === undefined) return type;
  if (isNonNullType(type)) return toTypeAt(type.ofType, [step, ...rest]);
  if (isListType(type))
    return toTypeAt(type.ofType, typeof step === 'number' ? rest : [step, ...rest]);
  return isInputObjectType(type) ? toTypeAt(type.getFields()[step]!.type, rest) : type;
}

/** Matches messages of graphql-js about an unknown or a missing field. A name is shown if it is an identifier of at most 40 characters. */
const ABOUT_FIELD = /^Field "([_A-Za-z]\w{0,39})" (?:(is not defined by)|of required) type /;

/** Returns why graphql-js refuses a value: a reason made of types and names of the schema, without the value. */
function toReason(message: string, value: unknown, type: GraphQLInputType): string {
  if (value === null || value === undefined) return 'must not be null';
  const { name, extensions } = getNamedType(type);
  const [, field, isUnknown] = ABOUT_FIELD.exec(message) ?? [];
  if (field !== undefined) return `${isUnknown ? 'has no' : 'must have the'} field "${field}"`;
  const { expected } = extensions;
  return `must be ${typeof expected === 'string' ? expected : `of the type ${name}`}`;
}

/** Returns the name of the argument whose whole value is a variable, of the first such root field. */
function findArgument(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variable: string,
): string | undefined {
  return findRootFields(document, operation)
    .flatMap((field) => field.arguments ?? [])
    .find(({ value }) => value.kind === Kind.VARIABLE && value.name.value === variable)?.name.value;
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
    // The code is Apollo's for such a value.
    extensions: { code: 'BAD_USER_INPUT', fieldErrors },
  });
}
