import {
  HeaderMap,
  type ApolloServerOptions,
  type BaseContext,
  type GraphQLRequestListener,
} from '@apollo/server';
import { locatedError, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { completeAt, Failure } from './complete.js';
import { createPlanner, type OperationPlan } from './plan.js';
import { toErrorResponse, withoutStack, type ErrorHandling } from './response.js';

/** Maximum number of validated documents in the cache. Clients can send documents without a token. */
const MAX_DOCUMENTS = 5_000;
/** Upper bound in bytes on the estimated heap of all cached documents and their plans. */
const MAX_BYTES = 64_000_000;
/** Estimated heap in bytes per token of a document, including the token's location and its share of the plan. */
const BYTES_PER_TOKEN = 600;

/** HTTP head of an answer that leaves the status as it is. All answers share it, because Apollo only reads it. */
const noHead = { headers: new HeaderMap() };

export interface PlannedExecution<Context extends BaseContext> {
  readonly listener: GraphQLRequestListener<Context>;
  /** Apollo's cache of validated documents. */
  readonly documentStore: NonNullable<ApolloServerOptions<Context>['documentStore']>;
}

/**
 * Creates a listener for Apollo that executes operations by plans. Each document is planned once, when Apollo stores it;
 * graphql-js executes the operations of documents without a plan. A plan calls the functions of `bindRoot`, one after the
 * other, and answers as graphql-js does.
 *
 * As with Apollo's response cache, Apollo calls neither `executionDidStart` nor `didEncounterErrors` of plugins when a plan
 * answers. Apollo still calls `willSendResponse`, with the errors in the request context.
 */
export function createPlannedExecution<Context extends BaseContext>(
  schema: GraphQLSchema,
  errors: ErrorHandling<Context> = {},
): PlannedExecution<Context> {
  const toPlan = createPlanner(schema);
  const plans = new WeakMap<DocumentNode, OperationPlan>();

  const listener: GraphQLRequestListener<Context> = {
    async responseForOperation(requestContext) {
      const { document, operation, request, contextValue } = requestContext;
      // Apollo's type is wrong: `operation` is undefined if the document has no operation with the requested name.
      const plan = (operation as unknown) ? plans.get(document) : undefined;
      const calls = plan?.toCalls(request.variables ?? {});
      if (!plan || !calls) return null;

      const data = plan.createData();
      const failures: Failure[] = [];
      for (const { root, args } of calls) {
        const { run, key, place } = root;
        try {
          const value = await run(args, contextValue, key);
          data[key] = completeAt(place, key, value, failures);
        } catch (error) {
          failures.push(new Failure(error, place.nodes, [key]));
        }
      }
      if (failures.length === 0)
        return { http: noHead, body: { kind: 'single', singleResult: { data } } };
      const located = withoutStack(() =>
        failures.map(({ error, nodes, path }) => locatedError(error, nodes, path)),
      );
      return toErrorResponse(located, requestContext, errors, data);
    },
  };
  const documents = new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ tokenCount = 0, loc }) => BYTES_PER_TOKEN * tokenCount + (loc?.end ?? 1),
  });
  return {
    listener,
    documentStore: {
      get: async (key) => documents.get(key),
      async set(key, document) {
        const plan = toPlan(document);
        if (plan) plans.set(document, plan);
        documents.set(key, document);
      },
      delete: async (key) => documents.delete(key),
    },
  };
}
