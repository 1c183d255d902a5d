import {
  HeaderMap,
  type ApolloServerOptions,
  type BaseContext,
  type GraphQLRequestListener,
} from '@apollo/server';
import { GraphQLError, locatedError, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { withoutStack } from './without-stack.js';
import { irregular } from './selection.js';
import { planDocument, type OperationPlan, type RootPlan } from './plan.js';
import { Thrown, replays } from './root.js';
import type { FormatErrors } from './refusals.js';

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

/** Maximum number of validated documents in the cache. Clients can send documents without a token. */
const MAX_DOCUMENTS = 5_000;
/** Upper bound in bytes on the estimated heap of all cached documents and their plans. */
const MAX_BYTES = 64_000_000;
/** Estimated heap in bytes per token of a document, including the token's location and its share of the plan. */
const BYTES_PER_TOKEN = 600;

/** HTTP head of a planned answer that leaves the status as it is. All answers share it, because Apollo only reads it. */
const noHead = { headers: new HeaderMap() };

/** Tells plans which errors of resolvers they may answer with, and how to format these errors. */
export interface PlannedErrors<Context extends BaseContext> {
  /** Returns true if a plan may answer with a resolver's error. On any other error, graphql-js executes the operation. */
  readonly isExpected: (error: unknown) => boolean;
  readonly formatErrors: FormatErrors<Context>;
}

export interface PlannedExecution<Context extends BaseContext> {
  readonly listener: Pick<GraphQLRequestListener<Context>, 'responseForOperation'>;
  /** Apollo's cache of validated documents. */
  readonly documentStore: DocumentStore;
}

/**
 * Creates a listener for Apollo that executes operations by plans. Each document is planned once; executing a plan costs a
 * third of the CPU time of graphql-js. A plan answers if no error occurs, or if the only errors are expected errors of
 * root fields. Otherwise, graphql-js executes the operation, and the root fields replay the results that their resolvers
 * have already returned or thrown: no resolver is called twice. Defects of plans are logged, because clients do not see them.
 *
 * As with Apollo's response cache, Apollo calls neither `executionDidStart` nor `didEncounterErrors` when a plan answers.
 * Apollo still calls `willSendResponse`, with the errors in the request context.
 */
export function createPlannedExecution<Context extends BaseContext>(
  schema: GraphQLSchema,
  errors: PlannedErrors<Context>,
  logger: { error(details: object, message: string): void },
): PlannedExecution<Context> {
  const plans = new WeakMap<DocumentNode, OperationPlan | undefined>();

  const listener: PlannedExecution<Context>['listener'] = {
    async responseForOperation(requestContext) {
      const { document, operation, request, contextValue } = requestContext;
      // Apollo's type is wrong: `operation` is undefined if the document has no operation with the requested name.
      const plan = (operation as unknown) ? plans.get(document) : undefined;
      if (!plan) return null;
      const leaveToGraphqlJs = (reason: unknown): null => {
        if (!isNoDefect(reason)) logger.error({ err: reason }, 'a plan failed');
        return null;
      };

      const given = request.variables ?? {};
      // `result` is the value that the resolver returned, or a `Thrown` with the error that the resolver threw.
      let fields: { root: RootPlan; args: Record<string, unknown>; result?: unknown }[];
      try {
        const variables = plan.coerce(given);
        fields = plan.roots.map((root) => ({ root, args: root.toArgs(variables) }));
      } catch (error) {
        return leaveToGraphqlJs(error);
      }

      for (const field of fields) {
        const { root, args } = field;
        try {
          field.result = await root.resolve(args, contextValue, root.key);
        } catch (error) {
          field.result = new Thrown(error);
        }
      }

      try {
        const data = plan.createData();
        const thrown: GraphQLError[] = [];
        for (const { root, result } of fields)
          if (result instanceof Thrown) {
            if (root.isNonNull || !errors.isExpected(result.error)) throw result;
            thrown.push(withoutStack(() => locatedError(result.error, root.nodes, [root.key])));
          } else data[root.key] = root.complete(result);
        if (thrown.length === 0)
          return { http: noHead, body: { kind: 'single', singleResult: { data } } };
        const singleResult = { errors: errors.formatErrors(thrown, requestContext), data };
        return { http: noHead, body: { kind: 'single', singleResult } };
      } catch (error) {
        replays.set(contextValue, new Map(fields.map(({ root, result }) => [root.key, result])));
        return leaveToGraphqlJs(error);
      }
    },
  };
  return {
    listener,
    documentStore: createDocumentStore((document) => {
      plans.set(document, planDocument(schema, document));
    }),
  };
}

/** Returns true for `irregular`, and for an error of a resolver or a scalar. Any other error is a defect of the plan. */
function isNoDefect(reason: unknown): boolean {
  return reason === irregular || reason instanceof GraphQLError || reason instanceof Thrown;
}

/** @param onDocument called with each document that Apollo stores in the cache */
function createDocumentStore(onDocument: (document: DocumentNode) => void): DocumentStore {
  const documents = new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ tokenCount = 0, loc }) => BYTES_PER_TOKEN * tokenCount + (loc?.end ?? 1),
  });
  return {
    get: async (key) => documents.get(key),
    async set(key, document) {
      onDocument(document);
      documents.set(key, document);
    },
    delete: async (key) => documents.delete(key),
  };
}
