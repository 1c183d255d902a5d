import { Kind, type ASTNode, type GraphQLError, type TypeNode } from 'graphql';
import type { FieldError } from './rest-problem.js';

/**
 * graphql-js says where a variable does not fit only in its message, which quotes the value first; quotes within
 * it are escaped.
 */
const WITHIN =
  /^Variable "\$(?<name>\w+)" got invalid value .* at "(?<where>[^"\\]+)"; (?<why>.+)$/s;
const WHOLE = /^Variable "\$(?<name>\w+)" got invalid value .*; (?<why>.+)$/s;
const MISSING = /^(?<why>Variable "\$(?<name>\w+)" of (?:required|non-null) type .+)$/s;

/**
 * Reads the message of graphql-js about the value of a variable. The path begins at the arguments of the field: a variable of
 * an input type is the argument `input`, any other has its argument's name. `undefined` for any other error.
 */
export function toVariableError({ message, nodes }: GraphQLError): FieldError | undefined {
  const { name, where, why } =
    [WITHIN, WHOLE, MISSING].map((pattern) => pattern.exec(message)).find(Boolean)?.groups ?? {};
  const type = toTypeName(nodes?.[0]);
  if (name === undefined || why === undefined || type === undefined) return undefined;
  // `input.audiences[0]` begins with the name of the variable.
  const steps = where?.match(/[^.[\]]+/g)?.slice(1) ?? [];
  const path = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return { path: [type.endsWith('Input') ? 'input' : name, ...path], message: why };
}

function toTypeName(node: ASTNode | undefined): string | undefined {
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return undefined;
  let type: TypeNode = node.type;
  while (type.kind !== Kind.NAMED_TYPE) type = type.type;
  return type.name.value;
}
