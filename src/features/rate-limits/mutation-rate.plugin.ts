import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, OperationTypeNode } from 'graphql';
import { findRootFields } from '../../graphql/root-fields.js';
import { toRateHeaders, toRateMessage, type RateVerdict } from './rate-verdict.js';

/** The slice of an operation's context. */
export interface MutationRateContext {
  /** Where writes are limited. */
  readonly spendMutationFields?: ((count: number) => Promise<RateVerdict>) | undefined;
}

/** Counts the root fields of mutations, each of which is a REST call. Over the limit none of them is made. */
export const mutationRatePlugin: ApolloServerPlugin<MutationRateContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation, contextValue: { spendMutationFields } }) {
        if (operation?.operation !== OperationTypeNode.MUTATION || !spendMutationFields) return;
        const verdict = await spendMutationFields(findRootFields(document, operation).size);
        if (!verdict.isAllowed) throw new MutationRateError(verdict);
      },
    };
  },
};

/** The caller has written enough for this minute. Nothing was sent. */
class MutationRateError extends GraphQLError {
  override readonly name = 'MutationRateError';

  constructor(verdict: RateVerdict) {
    super(toRateMessage(verdict, 'mutation fields'), {
      extensions: {
        code: 'RATE_LIMITED',
        outcome: 'NOT_SENT',
        retryable: true,
        retryAfterSeconds: verdict.resetSeconds,
        http: { status: 429, headers: new HeaderMap(Object.entries(toRateHeaders(verdict))) },
      },
    });
  }
}
