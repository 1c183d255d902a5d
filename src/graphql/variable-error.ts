import { Kind, type ASTNode, type GraphQLError, type TypeNode } from 'graphql';
import type { FieldError } from './rest-problem.js';

/**
 * Patterns of graphql-js's messages about invalid variables: only the message has the path of the invalid value. The
 * message quotes the value before the path, and escapes quotes in the value.
 */
const WITHIN =
  /^Variable "\$(?<name>\w+)" got invalid value .* at "(?<where>[^"\\]+)"; (?<why>.+)$/s;
const WHOLE = /^Variable "\$(?<name>\w+)" got invalid value .*; (?<why>.+)$/s;
const MISSING = /^(?<why>Variable "\$(?<name>\w+)" of (?:required|non-null) type .+)$/s;

/**
 * Converts graphql-js's error about an invalid variable to a field error; returns `undefined` for any other error. The
 * path begins with the name of an argument: `input` for a variable of an input type, else the name of the variable.
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
