import {
  HeaderMap,
  type ApolloServerOptions,
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestListener,
} from '@apollo/server';
import { GraphQLError, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { irregular } from './irregular.js';
import { planDocument, type OperationPlan, type RootPlan } from './operation.plan.js';
import { Failure, Roots } from './roots.js';

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

/** Most validated documents that are kept. A client needs no token to send documents. */
const MAX_DOCUMENTS = 5_000;
/** Most bytes of heap that the kept documents and their plans take together, by estimate. */
const MAX_BYTES = 64_000_000;
/** Bytes of heap for each token of a document, with the token's location and its share of a plan. */
const BYTES_PER_TOKEN = 600;

/** Shared by all answers: Apollo only reads the head. */
const noHead = { headers: new HeaderMap() };

/** The part of a pino logger that this file uses. */
interface DefectLogger {
  error(details: object, message: string): void;
}

/** One call of a root field's resolver. */
interface RootCall {
  readonly root: RootPlan;
  readonly args: Readonly<Record<string, unknown>>;
  /** The value that the resolver returned, or a {@link Failure}. */
  result?: unknown;
}

export interface PlannedExecution {
  readonly plugin: ApolloServerPlugin;
  /** Where Apollo keeps the documents that it has validated. */
  readonly documentStore: DocumentStore;
}

/**
 * Executes operations by a plan, made once for each document, which costs a third of graphql-js. A plan answers only
 * operations without errors. Apollo and graphql-js execute every other operation, and the root fields replay what their
 * resolvers have already returned or thrown: no resolver is called twice, and every error is graphql-js's. A defect of a
 * plan is logged, because no client would see it. As with Apollo's response cache, Apollo does not call
 * `executionDidStart` for an answer of a plan.
 */
export function createPlannedExecution(
  schema: GraphQLSchema,
  logger: DefectLogger,
): PlannedExecution {
  const plans = new WeakMap<DocumentNode, OperationPlan>();
  const roots = Roots.of(schema);

  const listener: GraphQLRequestListener<BaseContext> = {
    async responseForOperation(requestContext) {
      const { document, operation, request, contextValue } = requestContext;
      // The type is wrong: there is no operation when the request names one that the document does not have.
      const plan = (operation as unknown) ? plans.get(document) : undefined;
      if (!plan) return null;
      const leaveToGraphqlJs = (reason: unknown): null => {
        if (!isExpected(reason)) logger.error({ err: reason }, 'a plan failed');
        return null;
      };

      let calls: RootCall[];
      try {
        const variables = plan.coerce(request.variables ?? {});
        calls = plan.roots.map((root) => ({ root, args: root.toArgs(variables) }));
      } catch (error) {
        return leaveToGraphqlJs(error);
      }

      for (const call of calls) {
        const { root, args } = call;
        try {
          call.result = await roots.resolve(root.field, root.key, args, contextValue);
        } catch (error) {
          call.result = new Failure(error);
        }
      }

      try {
        const data: Record<string, unknown> = {};
        for (const { root, result } of calls) {
          if (result instanceof Failure) throw result;
          data[root.key] = root.complete(result);
        }
        return { http: noHead, body: { kind: 'single', singleResult: { data } } };
      } catch (error) {
        roots.replay(contextValue, new Map(calls.map(({ root, result }) => [root.key, result])));
        return leaveToGraphqlJs(error);
      }
    },
  };
  const started = Promise.resolve(listener);
  return {
    plugin: { requestDidStart: () => started },
    documentStore: createDocumentStore((document) => {
      const plan = planDocument(schema, document);
      if (plan) plans.set(document, plan);
    }),
  };
}

/** True for an error of a resolver, an error of a scalar, and a case that a plan leaves to graphql-js. */
function isExpected(reason: unknown): boolean {
  return reason === irregular || reason instanceof GraphQLError || reason instanceof Failure;
}

/** @param onDocument is called with each document that is kept */
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
