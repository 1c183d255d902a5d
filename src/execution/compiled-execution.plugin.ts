import {
  HeaderMap,
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestListener,
} from '@apollo/server';
import type {
  DocumentNode,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { planOperation, type OperationPlan } from './operation.plan.js';

/** Apollo reads it only. */
const noHead = { headers: new HeaderMap() };

/** Executions by graphql-js before an operation gets a plan: one that comes once is not worth it. */
const UNPLANNED_RUNS = 2;

type Resolver = GraphQLFieldResolver<unknown, BaseContext>;

/** What a resolver has thrown. */
class Failure {
  constructor(readonly error: unknown) {}
}

interface Entry {
  readonly operation: OperationDefinitionNode;
  runs: number;
  plan?: OperationPlan | undefined;
}

/**
 * Executes operations that come again by a plan, which costs a third of graphql-js. A plan knows only answers without
 * errors. Whatever else happens, Apollo and graphql-js execute the operation as ever, and get from the root fields what
 * their resolvers have returned or thrown already: no resolver is called twice, and every error is graphql-js's.
 */
export function createCompiledExecution(schema: GraphQLSchema): ApolloServerPlugin<BaseContext> {
  /** They live as long as Apollo keeps the document. */
  const entries = new WeakMap<DocumentNode, Entry>();
  const replays = new WeakMap<BaseContext, ReadonlyMap<string, unknown>>();
  const resolvers = replayRoots(schema, replays);

  // Unlike its type says, there is none when the request names an operation that the document does not have.
  function findPlan(document: DocumentNode, operation: OperationDefinitionNode | undefined) {
    if (!operation) return undefined;
    const entry = entries.get(document) ?? { operation, runs: 0 };
    if (entry.operation !== operation) return undefined;
    entries.set(document, entry);
    entry.runs++;
    if (entry.runs === UNPLANNED_RUNS + 1) entry.plan = planOperation(schema, document, operation);
    return entry.plan;
  }

  const listener: GraphQLRequestListener<BaseContext> = {
    async responseForOperation({ document, operation, request, contextValue }) {
      const plan = findPlan(document, operation);
      if (!plan) return null;
      let args: readonly Record<string, unknown>[];
      try {
        const variables = plan.coerce(request.variables ?? {});
        args = plan.roots.map(({ toArgs }) => toArgs(variables));
      } catch {
        return null;
      }

      const results: unknown[] = [];
      for (const [index, { field }] of plan.roots.entries()) {
        const resolve = resolvers.get(field)!;
        try {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no resolver of ours asks for the info
          results.push(await resolve(undefined, args[index]!, contextValue, undefined as never));
        } catch (error) {
          results.push(new Failure(error));
        }
      }

      try {
        const data: Record<string, unknown> = {};
        for (const [index, { key, complete }] of plan.roots.entries()) {
          const result = results[index];
          if (result instanceof Failure) throw result;
          data[key] = complete(result);
        }
        return {
          http: noHead,
          body: { kind: 'single', singleResult: { data } },
        };
      } catch {
        replays.set(
          contextValue,
          new Map(plan.roots.map(({ key }, index) => [key, results[index]])),
        );
        return null;
      }
    },
  };
  return { requestDidStart: async () => listener };
}

/** Lets the root fields answer with what is to be replayed for their context. Returns their own resolvers. */
function replayRoots(
  schema: GraphQLSchema,
  replays: WeakMap<BaseContext, ReadonlyMap<string, unknown>>,
): ReadonlyMap<GraphQLField<unknown, unknown>, Resolver> {
  const resolvers = new Map<GraphQLField<unknown, unknown>, Resolver>();
  for (const type of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(type?.getFields() ?? {})) {
      const { resolve } = field;
      if (!resolve) continue;
      resolvers.set(field, resolve);
      field.resolve = (source, args, context: BaseContext, info) => {
        const replay = replays.get(context);
        if (!replay) return resolve(source, args, context, info);
        const result = replay.get(String(info.path.key));
        if (result instanceof Failure) throw result.error;
        return result;
      };
    }
  return resolvers;
}
