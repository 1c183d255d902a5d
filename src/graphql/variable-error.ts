import { Kind, type GraphQLError, type VariableDefinitionNode } from 'graphql';
import type { ArgumentPath } from './argument-path.js';

/**
 * Patterns of graphql-js's messages about invalid variables: only the message has the path of the invalid value. The
 * message quotes the value before the path, and escapes quotes in the value.
 */
const WITHIN = /^Variable "\$\w+" got invalid value .* at "(?<where>[^"\\]+)"; (?<why>.+)$/s;
const WHOLE = /^Variable "\$\w+" got invalid value .*; (?<why>.+)$/s;
const MISSING = /^(?<why>Variable "\$\w+" of (?:required|non-null) type .+)$/s;

/** A variable whose value graphql-js has refused. */
export interface VariableError {
  readonly definition: VariableDefinitionNode;
  /** Path of the refused value within the variable: `["audiences", 0]`; empty for the whole variable. */
  readonly path: ArgumentPath;
  readonly message: string;
}

/** Reads graphql-js's error about an invalid variable; returns `undefined` for any other error. */
export function toVariableError({ message, nodes }: GraphQLError): VariableError | undefined {
  const definition = nodes?.[0];
  if (definition?.kind !== Kind.VARIABLE_DEFINITION) return undefined;
  const { where, why } =
    [WITHIN, WHOLE, MISSING].map((pattern) => pattern.exec(message)).find(Boolean)?.groups ?? {};
  if (why === undefined) return undefined;
  // `input.audiences[0]` begins with the name of the variable.
  const steps = where?.match(/[^.[\]]+/g)?.slice(1) ?? [];
  const path = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return { definition, path, message: why };
}
