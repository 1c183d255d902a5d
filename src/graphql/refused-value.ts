import {
  getLocation,
  isValueNode,
  Kind,
  type DocumentNode,
  type GraphQLError,
  type SourceLocation,
} from 'graphql';
import { findFirstUse, findValuePath, toVariablePath } from './argument-path.js';
import type { FieldError } from './rest-problem.js';
import { RefusedVariableError } from '../execution/variable-refusals.js';

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
export function findRefusedValue(
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
