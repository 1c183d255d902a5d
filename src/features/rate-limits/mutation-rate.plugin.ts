import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, OperationTypeNode } from 'graphql';
import type { Context } from '../../context.js';
import { countRootFields } from '../limits/operation-limits.js';

/** Whether the caller is within its limit, and what is left of the limit. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Time until the caller has its whole limit again. */
  readonly resetSeconds: number;
}

/** Counts the root fields of mutations, each of which is a REST call. Over the limit no call is made. */
export const mutationRatePlugin: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation, contextValue: { spendMutationFields } }) {
        if (operation?.operation !== OperationTypeNode.MUTATION || !spendMutationFields) return;
        const verdict = await spendMutationFields(countRootFields(document, operation));
        if (!verdict.isAllowed) throw new MutationRateError(verdict);
      },
    };
  },
};

/** The caller is over its limit of mutation fields. Nothing was sent. */
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

export function toRateMessage({ limit }: RateVerdict, what: string): string {
  return `A caller may have ${limit} ${what} in a minute. Nothing was sent.`;
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-03, the version that clients know. */
export function toRateHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    'ratelimit-limit': String(verdict.limit),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.resetSeconds),
  };
}
