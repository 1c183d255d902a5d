import { HeaderMap, type BaseContext, type GraphQLRequestListener } from '@apollo/server';
import {
  coerceInputValue,
  GraphQLError,
  isInputObjectType,
  isInputType,
  isNonNullType,
  typeFromAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { withoutStack } from '../errors/without-stack.js';
import type { PlannedErrors } from './planned-execution.js';
import { cutQuoted, cutScalarValue, MAX_QUOTED_LENGTH, toQuoted } from './quoted-value.js';

/** Maximum number of errors. The response has no room for more. */
const MAX_ERRORS = 10;

/** A variable whose value does not fit its type. The message is that of graphql-js, with at most 100 characters of each value. */
export class RefusedVariableError extends GraphQLError {
  override readonly name = 'RefusedVariableError';

  /**
   * @param path path of the refused value within the variable: `["audiences", 0]`; empty for the whole variable
   * @param reason the part of the message after the value and its path
   */
  constructor(
    readonly definition: VariableDefinitionNode,
    message: string,
    readonly reason: string,
    readonly within: readonly (string | number)[] = [],
  ) {
    // The code is Apollo's for such a value.
    super(message, { nodes: definition, extensions: { code: 'BAD_USER_INPUT' } });
  }
}

/** HTTP head of an answer to variables that are refused: Apollo's status. */
const refusalHead = { status: 400, headers: new HeaderMap() };

/**
 * Creates a listener that refuses variables in place of graphql-js, whose messages repeat whole values. Place the listener
 * after execution plans: an operation that a plan answers has no wrong variables.
 */
export function createVariableRefusals<Context extends BaseContext>(
  schema: GraphQLSchema,
  { formatErrors }: Pick<PlannedErrors<Context>, 'formatErrors'>,
): Pick<GraphQLRequestListener<Context>, 'responseForOperation'> {
  return {
    async responseForOperation(context) {
      const { operation, request } = context;
      // Apollo's type is wrong: `operation` is undefined if the document has no operation with the requested name.
      if (!(operation as unknown)) return null;
      const refusals = findVariableRefusals(schema, operation, request.variables ?? {});
      if (refusals.length === 0) return null;
      const singleResult = { errors: formatErrors(refusals, context) };
      return { http: refusalHead, body: { kind: 'single', singleResult } };
    },
  };
}

/**
 * Returns the errors about the variables of a request, at most 10; none if graphql-js accepts the variables. The cost depends
 * on the number of values and not on the length of their texts: graphql-js would repeat a whole value in each message.
 */
function findVariableRefusals(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): readonly RefusedVariableError[] {
  const refusals: RefusedVariableError[] = [];
  const refuse = (...parts: ConstructorParameters<typeof RefusedVariableError>): void => {
    refusals.push(new RefusedVariableError(...parts));
    if (refusals.length === MAX_ERRORS) throw enough;
  };
  try {
    withoutStack(() => {
      for (const definition of variableDefinitions)
        checkVariable(schema, definition, given, refuse);
    });
  } catch (error) {
    if (error !== enough) throw error;
  }
  return refusals;
}

/** Thrown to end the coercion when there are enough errors. */
const enough = new Error('enough errors');

function checkVariable(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  refuse: (...parts: ConstructorParameters<typeof RefusedVariableError>) => void,
): void {
  const name = definition.variable.name.value;
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type)) return;
  if (!Object.hasOwn(given, name)) {
    if (definition.defaultValue || !isNonNullType(type)) return;
    const reason = `Variable "$${name}" of required type "${String(type)}" was not provided.`;
    return refuse(definition, reason, reason);
  }
  const value = given[name];
  if (value === null && isNonNullType(type)) {
    const reason = `Variable "$${name}" of non-null type "${String(type)}" must not be null.`;
    return refuse(definition, reason, reason);
  }
  // An object with many unknown fields is the value of each error.
  const quotes = new Map<unknown, string>();
  coerceInputValue(
    value,
    type,
    (path, invalid, { message }) => {
      const reason = toReason(message, schema);
      const place = path.length > 0 ? ` at "${name}${toText(path)}"` : '';
      const quoted = quotes.get(invalid) ?? toQuoted(invalid);
      quotes.set(invalid, quoted);
      const whole = `Variable "$${name}" got invalid value ${quoted}${place}; ${reason}`;
      refuse(definition, whole, reason, path);
    },
    HIDE_SUGGESTIONS,
  );
}

/** Comparing a name of 1 MiB with the fields of a type takes 20 ms. `toReason` adds the suggestions for short names. */
const HIDE_SUGGESTIONS = true;

function toText(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

const UNKNOWN_FIELD = 'Field "';
const AFTER_UNKNOWN_FIELD = '" is not defined by type "';

/** Cuts the one text of the client that a reason of graphql-js can have: the value of a scalar, or the name of an unknown field. */
function toReason(message: string, schema: GraphQLSchema): string {
  const end = message.lastIndexOf(AFTER_UNKNOWN_FIELD);
  if (!message.startsWith(UNKNOWN_FIELD) || end === -1) return cutScalarValue(message);
  const field = message.slice(UNKNOWN_FIELD.length, end);
  const rest = message.slice(end);
  if (field.length > MAX_QUOTED_LENGTH) return `${UNKNOWN_FIELD}${cutQuoted(field)}${rest}`;
  // Only for short names: graphql-js appends similar names, and the cost grows with the length.
  let reason = message;
  const type = schema.getType(rest.slice(AFTER_UNKNOWN_FIELD.length, -'".'.length));
  if (isInputObjectType(type))
    coerceInputValue({ [field]: null }, type, (_path, _value, error) => {
      if (error.message.startsWith(UNKNOWN_FIELD)) reason = error.message;
    });
  return reason;
}
