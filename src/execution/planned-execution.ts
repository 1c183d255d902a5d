import {
  HeaderMap,
  type ApolloServerOptions,
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestContext,
  type GraphQLRequestListener,
} from '@apollo/server';
import {
  GraphQLError,
  isNonNullType,
  locatedError,
  type DocumentNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { withoutStack } from './without-stack.js';
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

/** The errors that a plan may answer with. */
export interface PlannedErrors<Context extends BaseContext> {
  /** Whether a plan may answer with an error that a resolver has thrown; graphql-js answers with any other. */
  readonly isExpected: (error: unknown) => boolean;
  /** Formats errors as they would be formatted for an operation that graphql-js has executed. */
  readonly formatErrors: (
    errors: readonly GraphQLError[],
    requestContext: GraphQLRequestContext<Context>,
  ) => readonly GraphQLFormattedError[];
}

export interface PlannedExecution<Context extends BaseContext> {
  readonly plugin: ApolloServerPlugin<Context>;
  /** Where Apollo keeps the documents that it has validated. */
  readonly documentStore: DocumentStore;
}

/**
 * Executes operations by a plan, made once for each document, which costs a third of graphql-js. A plan answers
 * operations without errors, and those in which root fields fail with expected errors. Apollo and graphql-js execute every
 * other operation, and the root fields replay what their resolvers have already returned or thrown: no resolver is called
 * twice. A defect of a plan is logged, because no client would see it.
 *
 * As with Apollo's response cache, Apollo calls neither `executionDidStart` nor `didEncounterErrors` for an answer of a
 * plan; `willSendResponse` finds the errors in the request context as always.
 */
export function createPlannedExecution<Context extends BaseContext>(
  schema: GraphQLSchema,
  errors: PlannedErrors<Context>,
  logger: DefectLogger,
): PlannedExecution<Context> {
  const plans = new WeakMap<DocumentNode, OperationPlan>();
  const roots = Roots.of(schema);

  const listener: GraphQLRequestListener<Context> = {
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
        const thrown: GraphQLError[] = [];
        for (const { root, result } of calls)
          if (result instanceof Failure) {
            if (isNonNullType(root.field.type) || !errors.isExpected(result.error)) throw result;
            thrown.push(withoutStack(() => locatedError(result.error, root.nodes, [root.key])));
            data[root.key] = null;
          } else data[root.key] = root.complete(result);
        if (thrown.length === 0)
          return { http: noHead, body: { kind: 'single', singleResult: { data } } };
        // Apollo does the same with the errors of graphql-js.
        Object.assign(requestContext, { errors: thrown });
        const formatted = errors.formatErrors(thrown, requestContext);
        return {
          http: noHead,
          body: { kind: 'single', singleResult: { errors: formatted, data } },
        };
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
