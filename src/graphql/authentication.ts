import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type OperationDefinitionNode,
} from 'graphql';
import { Refusal } from '../errors/refusal.js';
import { toGraphQLError, type OperationListener } from './listener.js';
import { findRootFields } from 'planned-execution';

/**
 * Refuses the whole operation of a caller who cannot be authenticated, before any value is judged: no variable, and no
 * literal of an invalid document. Place the listener ahead of the others.
 */
export const authenticationListener: OperationListener = {
  didResolveOperation({ document, operation, contextValue: { caller } }) {
    if (!operation || !needsCaller(document, operation)) return undefined;
    const token = caller.token(false);
    return typeof token === 'string' ? undefined : token.then(() => undefined);
  },
  async didEncounterErrors({ document, operation, errors, contextValue: { caller } }) {
    // Apollo chooses the operation after the validation. A text that cannot be parsed has no document.
    if (operation || !document) return;
    const isPrivate = document.definitions.some(
      (node) => node.kind === Kind.OPERATION_DEFINITION && needsCaller(document, node),
    );
    if (!isPrivate) return;
    try {
      await caller.token(false);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo answers with this array after the hooks
      (errors as GraphQLError[]).splice(0, errors.length, toGraphQLError(error));
    }
  },
};

/** Returns false for an operation that only reads the schema. */
function needsCaller(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  const [first] = operation.selectionSet.selections;
  // Almost every operation ends here.
  if (first?.kind === Kind.FIELD && !isPublic(first)) return true;
  return findRootFields(document, operation).some((field) => !isPublic(field));
}

function isPublic({ name: { value: name } }: FieldNode): boolean {
  return name.startsWith('__') || name === '_service';
}
