import { HeaderMap } from '@apollo/server';
import { OperationTypeNode } from 'graphql';
import { findRootFields } from '../../graphql/root-fields.js';
import type { OperationListener } from '../../graphql/operation-listener.js';
import { NotSentError } from '../../not-sent.error.js';
import { toRateHeaders, toRateMessage, type RateVerdict } from './rate-limiter.js';

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
    if (!verdict.isAllowed) throw new MutationRateError(verdict);
  },
};

/** The caller is over its limit of mutation fields per minute. */
class MutationRateError extends NotSentError {
  override readonly name = 'MutationRateError';

  constructor(verdict: RateVerdict) {
    super(toRateMessage(verdict, 'mutation fields'), {
      code: 'RATE_LIMITED',
      retryable: true,
      retryAfterSeconds: verdict.resetSeconds,
      http: { status: 429, headers: new HeaderMap(Object.entries(toRateHeaders(verdict))) },
    });
  }
}
