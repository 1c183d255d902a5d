import {
  HeaderMap,
  type ApolloServerOptions,
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestListener,
} from '@apollo/server';
import { GraphQLError, parse, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { CompactDocuments } from './compact-document.js';
import { irregular } from './irregular.js';
import { planDocument, type OperationPlan, type RootPlan } from './operation.plan.js';
import { Failure, Roots } from './roots.js';

type DocumentStore = NonNullable<ApolloServerOptions<BaseContext>['documentStore']>;

/** Validated documents that are kept, and the memory that they may take in all: whoever sends them needs no token. */
const MAX_DOCUMENTS = 12_000;
const MAX_BYTES = 140_000_000;
/** What a token takes, with its part of a plan; some take half as much more. */
const BYTES_PER_TOKEN = 200;

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

export interface CompiledExecution {
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
export function createCompiledExecution(
  schema: GraphQLSchema,
  logger: DefectLogger,
): CompiledExecution {
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
        // With its locations, which errors tell.
        Object.assign(requestContext, { document: parse(requestContext.source) });
        return null;
      };

      let calls: RootCall[];
      try {
        const variables = plan.coerce(request.variables ?? {});
        calls = plan.roots.map((root) => ({ root, args: root.toArgs(variables) }));
      } catch (error) {
        return leaveToGraphqlJs(error);
      }

      for (const call of calls)
        try {
          call.result = await roots.resolve(call.root.field, call.args, contextValue);
        } catch (error) {
          call.result = new Failure(error);
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
      return plan !== undefined;
    }),
  };
}

/** What a resolver has thrown, what a scalar says of a value, and what a plan does not know. */
function isExpected(reason: unknown): boolean {
  return reason === irregular || reason instanceof GraphQLError || reason instanceof Failure;
}

/** @param prepare whether there is a plan for a document, which needs no locations then */
function createDocumentStore(prepare: (document: DocumentNode) => boolean): DocumentStore {
  const documents = new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_BYTES,
  });
  const small = new CompactDocuments();
  return {
    get: async (key) => documents.get(key),
    async set(key, document) {
      const size = toBytes(document);
      const compact = small.compact(document);
      if (prepare(compact)) documents.set(key, compact, { size });
      // Locations are two thirds of a document.
      else documents.set(key, document, { size: 3 * size });
    },
    delete: async (key) => documents.delete(key),
  };
}

/** As if it shared nothing: what it shares may be kept for its sake alone. */
function toBytes({ tokenCount = 0, loc }: DocumentNode): number {
  return BYTES_PER_TOKEN * tokenCount + (loc?.end ?? 1);
}
