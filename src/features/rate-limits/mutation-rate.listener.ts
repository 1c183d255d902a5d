import { OperationTypeNode } from 'graphql';
import { findRootFields } from '../../graphql/root-fields.js';
import type { OperationListener } from '../../graphql/operation-listener.js';
import { toRateRefusal, type RateVerdict } from './rate-limiter.js';

/** The slice of an operation's context that this listener reads. */
export interface MutationRateContext {
  /** Counts mutation fields against the caller's limit; `undefined` when there is no limit. */
  readonly spendMutationFields?: ((count: number) => Promise<RateVerdict>) | undefined;
}

/** Limits the root fields of mutations, each of which is a REST call. Refuses a mutation that exceeds the limit. */
export const mutationRateListener: OperationListener<MutationRateContext> = {
  async didResolveOperation({ document, operation, contextValue: { spendMutationFields } }) {
    if (operation?.operation !== OperationTypeNode.MUTATION || !spendMutationFields) return;
    const count = findRootFields(document, operation).size;
    if (count === 0) return;
    const verdict = await spendMutationFields(count);
    if (!verdict.isAllowed) throw toRateRefusal(verdict, 'mutation fields');
  },
};
