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

/** Most validated documents that are kept. Whoever sends a document needs no token. */
const MAX_DOCUMENTS = 5_000;
/** Most bytes of heap that the kept documents and their plans take together, by estimate. */
const MAX_BYTES = 64_000_000;
/** Bytes of heap for each token of a document, with the token's location and its share of a plan. */
const BYTES_PER_TOKEN = 600;

/** Apollo only reads it. */
const noHead = { headers: new HeaderMap() };

/** The part of a pino logger that is needed here. */
interface DefectLogger {
  error(details: object, message: string): void;
}

/** A root field on its way. */
interface RootCall {
  readonly root: RootPlan;
  readonly args: Readonly<Record<string, unknown>>;
  /** What its resolver has returned, or the {@link Failure}. */
  result?: unknown;
}

export interface PlannedExecution {
  readonly plugin: ApolloServerPlugin;
  /** Where Apollo keeps the documents that it has validated. */
  readonly documentStore: DocumentStore;
}

/**
 * Executes operations by a plan, made once for each document, which costs a third of graphql-js. A plan knows only
 * answers without errors. Whatever else happens, Apollo and graphql-js execute the operation as ever, and get from the
 * root fields what their resolvers have returned or thrown already: no resolver is called twice, and every error is
 * graphql-js's. A defect of a plan is logged: nobody else would see it. As with Apollo's response cache,
 * `executionDidStart` is not called for what a plan has answered.
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
      // Unlike its type says, there is no operation when the request names one that the document does not have.
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

/** What a resolver has thrown, what a scalar says of a value, and what a plan does not know. */
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
