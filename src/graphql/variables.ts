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
import { toErrorResponse, withoutStack, type ErrorHandling } from 'planned-execution';
import type { Context } from '../context.js';
import type { OperationListener } from './listener.js';
import { findRootFields } from './root-fields.js';

type Path = readonly (string | number)[];

/** Maximum number of errors about the variables of a request. */
const MAX_ERRORS = 10;

/** @param path place of the refused value within the variable: `["audiences", 0]`; empty for the whole variable */
type Refuse = (definition: VariableDefinitionNode, reason: string, path: Path) => void;

/**
 * Coerces the variables of an operation by graphql-js. Reports each value that does not fit with a reason made of types and
 * names of the schema: a value of the client is never quoted.
 */
function checkVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  refuse: Refuse,
  hideSuggestions: boolean,
): void {
  for (const definition of variableDefinitions) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    // Validation has refused any other type.
    if (!isInputType(type)) continue;
    if (Object.hasOwn(given, name)) {
      const report: Parameters<typeof coerceInputValue>[2] = (path, value, { message }) =>
        refuse(definition, toReason(message, value, toTypeAt(type, path)), path);
      coerceInputValue(given[name], type, report, hideSuggestions);
    } else if (!definition.defaultValue && isNonNullType(type))
      refuse(definition, 'must be given', []);
  }
}

/** Returns the type at a path within a value. A value in place of a list has no index in its path. */
function toTypeAt(type: GraphQLInputType, [step, ...rest]: Path): GraphQLInputType {
  if (step === undefined) return type;
  if (isNonNullType(type)) return toTypeAt(type.ofType, [step, ...rest]);
  if (isListType(type))
    return toTypeAt(type.ofType, typeof step === 'number' ? rest : [step, ...rest]);
  return isInputObjectType(type) ? toTypeAt(type.getFields()[step]!.type, rest) : type;
}

/** Beginnings of sentences about values of the scalars of GraphQL. */
const expected: Readonly<Record<string, string>> = {
  Boolean: 'a Boolean: true or false',
  Float: 'a Float: a finite number',
  ID: 'an ID: a string',
  Int: 'an Int: a whole number from -2147483648 to 2147483647',
  String: 'a String',
};

/** Returns why graphql-js refuses a value, without the value. */
function toReason(message: string, value: unknown, type: GraphQLInputType): string {
  if (value === null || value === undefined) return 'must not be null';
  const named = getNamedType(type);
  if (!isInputObjectType(named)) {
    const told: unknown = named.extensions['expected'];
    return `must be ${typeof told === 'string' ? told : (expected[named.name] ?? `of the type ${named.name}`)}`;
  }
  if (typeof value !== 'object' || Array.isArray(value)) return `must be an object (${named.name})`;
  const [, field, suggestion = ''] = UNKNOWN_FIELD.exec(message) ?? [];
  if (field !== undefined) return `has no field "${field}"${suggestion}`;
  const [, required] = REQUIRED_FIELD.exec(message) ?? [];
  if (required !== undefined) return `must have the field "${required}"`;
  return `does not fit the type ${named.name}`;
}

/** Matches messages of graphql-js about a field whose name is an identifier of at most 40 characters. Other names are not shown. */
const UNKNOWN_FIELD =
  /^Field "([_A-Za-z]\w{0,39})" is not defined by type "\w+"(\. Did you mean [\w", ]{1,200}\?$)?/;
const REQUIRED_FIELD =
  /^Field "([_A-Za-z]\w{0,39})" of required type "[\w![\]]+" was not provided\.$/;

/** HTTP head of an answer to variables that are refused: Apollo's status. */
const refusalHead = { status: 400, headers: new HeaderMap() };

/** Thrown to end the coercion when there are enough errors. */
const enough = new Error('enough errors');

/**
 * Creates a listener that refuses variables in place of graphql-js, whose messages repeat whole values. Place the listener
 * after execution plans: an operation that a plan answers has no wrong variables.
 */
export function createVariableRefusals(
  schema: GraphQLSchema,
  handling: ErrorHandling<Context>,
  hideSuggestions: boolean,
): OperationListener {
  return {
    async responseForOperation(context) {
      const { document, operation, request } = context;
      // Apollo's type is wrong: `operation` is undefined if the document has no operation with the requested name.
      if (!(operation as unknown)) return null;
      const errors: GraphQLError[] = [];
      const refuse: Refuse = (definition, reason, path) => {
        const argument = findArgument(document, operation, definition.variable.name.value);
        errors.push(toError(definition, reason, path, argument));
        if (errors.length === MAX_ERRORS) throw enough;
      };
      const given = request.variables ?? {};
      try {
        withoutStack(() => {
          checkVariables(schema, operation, given, refuse, hideSuggestions);
          const condition = findNullCondition(document, operation, given);
          if (condition) refuse(condition, 'must not be null: a directive needs true or false', []);
        });
      } catch (error) {
        if (error !== enough) throw error;
      }
      if (errors.length === 0) return null;
      return { ...(await toErrorResponse(errors, context, handling)), http: refusalHead };
    },
  };
}

/**
 * Returns a variable of a directive that is null. GraphQL allows null in a variable with a default; graphql-js would
 * report the error only after the write, when it completes the result.
 */
function findNullCondition(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): VariableDefinitionNode | undefined {
  const nulls = (operation.variableDefinitions ?? []).filter(
    ({ variable, defaultValue }) => defaultValue && given[variable.name.value] === null,
  );
  if (nulls.length === 0) return undefined;
  const conditions = new Set<string>();
  visit(document, {
    // Skips other operations, whose variables may have the same names.
    OperationDefinition: (node) => (node === operation ? undefined : false),
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args)
        if (value.kind === Kind.VARIABLE) conditions.add(value.name.value);
    },
  });
  return nulls.find(({ variable }) => conditions.has(variable.name.value));
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

function toError(
  definition: VariableDefinitionNode,
  reason: string,
  path: Path,
  argument: string | undefined,
): GraphQLError {
  const sentence = reason.endsWith('?') ? reason : `${reason}.`;
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  const fieldError = {
    path: [argument, ...path],
    message: sentence.slice(0, 1).toUpperCase() + sentence.slice(1),
  };
  return new GraphQLError(`$${definition.variable.name.value}${steps} ${sentence}`, {
    nodes: definition,
    // The code is Apollo's for such a value.
    extensions: {
      code: 'BAD_USER_INPUT',
      ...(argument !== undefined && { fieldErrors: [fieldError] }),
    },
  });
}
