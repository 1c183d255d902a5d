import { Kind, type GraphQLError } from 'graphql';
import { Refusal } from '../errors/refusal.js';
import { toGraphQLError, type OperationListener } from './listener.js';

/**
 * Refuses the whole operation of a caller who cannot be authenticated, before any value is judged: no variable, and no
 * literal of an invalid document. Place the listener ahead of the others.
 */
export const authenticationListener: OperationListener = {
  async didResolveOperation({ operation, contextValue: { caller } }) {
    if (!operation) return;
    // An operation that only reads the schema needs no caller.
    const isPublic = operation.selectionSet.selections.every(
      (node) =>
        node.kind === Kind.FIELD &&
        (node.name.value.startsWith('__') || node.name.value === '_service'),
    );
    if (!isPublic) await caller.token(false);
  },
  async didEncounterErrors({ document, operation, errors, contextValue: { caller } }) {
    // Apollo chooses the operation after the validation. A text that cannot be parsed has no document.
    if (operation || !document) return;
    try {
      await caller.token(false);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo answers with this array after the hooks
      (errors as GraphQLError[]).splice(0, errors.length, toGraphQLError(error));
    }
  },
};
