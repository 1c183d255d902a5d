import {
  HeaderMap,
  type ApolloServerOptions,
  type BaseContext,
  type GraphQLRequestListener,
} from '@apollo/server';
import {
  isNonNullType,
  Kind,
  locatedError,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import {
  completeAt,
  doNotPlan,
  Failure,
  ifPlanned,
  onlyOn,
  planOutput,
  planShape,
  type Place,
} from './complete.js';
import { toErrorResponse, withoutStack, type ErrorHandling } from './error-response.js';
import { collectFields, toFragments } from './selection.js';
import { createVariablePlanner, planArguments, type Values } from './coerce.js';

/** Maximum number of validated documents in the cache. Clients can send documents without a token. */
const MAX_DOCUMENTS = 5_000;
/** Upper bound in bytes on the estimated heap of all cached documents and their plans. */
const MAX_BYTES = 64_000_000;
/** Estimated heap in bytes per token of a document, including the token's location and its share of the plan. */
const BYTES_PER_TOKEN = 600;

/** HTTP head of an answer that leaves the status as it is. All answers share it, because Apollo only reads it. */
const noHead = { headers: new HeaderMap() };

/** Runs a root field, and returns its result: usually a promise. `name` is the field's response name. */
export type Run<Context extends BaseContext = BaseContext> = (
  args: Values,
  context: Context,
  name: string,
) => unknown;

/**
 * Makes `run` the resolver of a root field, which plans call without graphql-js. `run` must return a value without functions
 * and promises inside. An `Error` inside the value is the error of the field or of the item whose place it takes.
 */
export function bindRoot<Context extends BaseContext>(
  field: GraphQLField<unknown, Context>,
  run: Run<Context>,
): void {
  const resolve: NonNullable<typeof field.resolve> = (_, args, context, info) =>
    run(args, context, String(info.path.key));
  field.resolve = Object.assign(resolve, { run });
}

/** Execution plan of a root field. */
interface RootPlan {
  /** Name of the field in the response. */
  readonly key: string;
  readonly run: Run;
  /** Is nullable. */
  readonly place: Place;
}

interface OperationPlan {
  /** Returns the calls of root fields in their order, or `undefined` if a value of the request does not fit. */
  readonly toCalls: (given: Values) => readonly { root: RootPlan; args: Values }[] | undefined;
  /** Creates the `data` of a response, with `null` for each root field. */
  readonly createData: () => Record<string, unknown>;
}

/** Returns a function that plans validated documents. It ends by `doNotPlan` for a document that graphql-js must execute. */
function createPlanner(schema: GraphQLSchema) {
  const planVariables = createVariablePlanner(schema);

  return (document: DocumentNode): OperationPlan => {
    const [operation, ...more] = document.definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    const type = operation && schema.getRootType(operation.operation);
    if (!type || more.length > 0 || operation.directives?.length) return doNotPlan();
    const fragments = toFragments(document);
    const coerce = planVariables(operation);
    const collected = collectFields([operation], fragments, onlyOn(type));
    // graphql-js runs the root fields of a query concurrently; a plan would run them one after the other.
    if (operation.operation !== OperationTypeNode.MUTATION && collected.size > 1) doNotPlan();
    const roots = Array.from(collected, ([key, nodes]) => {
      const field = type.getFields()[nodes[0]!.name.value];
      // What `bindRoot` has bound to the field; undefined for another resolver.
      const { run }: { run?: Run } = Object(field?.resolve);
      // The error of a non-null root field makes `data` null, and ends the operation.
      if (!field || !run || isNonNullType(field.type)) return doNotPlan();
      const place = planOutput(field.type, nodes, fragments, `${type.name}.${field.name}`);
      return { key, run, place, toArgs: planArguments(field, nodes[0]!) };
    });
    return {
      toCalls: (given) =>
        ifPlanned(() => {
          const variables = coerce(given);
          return roots.map((root) => ({ root, args: root.toArgs(variables) }));
        }),
      createData: planShape([...collected.keys()]),
    };
  };
}

export interface PlannedExecution<Context extends BaseContext> {
  readonly listener: GraphQLRequestListener<Context>;
  /** Apollo's cache of validated documents. */
  readonly documentStore: NonNullable<ApolloServerOptions<Context>['documentStore']>;
}

/**
 * Creates a listener for Apollo that executes operations by plans. Each document is planned once, when Apollo stores it; as
 * `set` has no `await`, that is before its first operation. graphql-js executes documents without a plan. A plan calls the
 * functions of `bindRoot`, one after the other, and answers as graphql-js does.
 *
 * When a plan answers, Apollo calls no `executionDidStart` and no `didEncounterErrors` of listeners and plugins, as with its
 * response cache; only that of `handling` is called. Then comes `willSendResponse`, with the errors in the request context.
 */
export function createPlannedExecution<Context extends BaseContext>(
  schema: GraphQLSchema,
  handling: ErrorHandling<Context> = {},
): PlannedExecution<Context> {
  const planDocument = createPlanner(schema);
  const plans = new WeakMap<DocumentNode, OperationPlan>();

  /** Runs the root fields of an operation. Returns `null`, before any call, if graphql-js must execute the operation. */
  const execute: GraphQLRequestListener<Context>['responseForOperation'] = async (context) => {
    const { document, operation, contextValue, request } = context;
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
    return toErrorResponse(located, context, handling, data);
  };
  const documents = new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ tokenCount = 0, loc }) => BYTES_PER_TOKEN * tokenCount + (loc?.end ?? 1),
  });
  return {
    // Apollo calls this hook before graphql-js would execute the operation.
    listener: { responseForOperation: execute },
    documentStore: {
      get: async (key) => documents.get(key),
      async set(key, document) {
        const plan = ifPlanned(() => planDocument(document));
        if (plan) plans.set(document, plan);
        documents.set(key, document);
      },
      delete: async (key) => documents.delete(key),
    },
  };
}
