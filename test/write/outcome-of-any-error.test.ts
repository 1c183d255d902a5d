import { ApolloServer } from '@apollo/server';
import { buildSchema, GraphQLError, type GraphQLSchema } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/context.js';
import { bindRoot, createPlannedExecution } from 'planned-execution';
import { createErrorHandling } from '../../src/errors/client-error.js';
import { joinListeners, type OperationListener } from '../../src/graphql/listener.js';
import { RestError, type JsonObject, type Step } from 'rest-outcome';
import type { StudyApi } from '../../src/study/api.js';
import { createTestContext } from '../support/context.js';
import { wholeStudy } from '../support/studies.js';

const call = {
  method: 'POST',
  path: '/studies',
  template: '/studies',
  headers: {},
} as const;

/** Errors that claim a wrong outcome, and errors without an outcome; whether each, taken alone, is worth a retry. */
const surfacing: readonly (readonly [string, () => Error, boolean])[] = [
  [
    'a GraphQLError that says NOT_SENT',
    () => new GraphQLError('no', { extensions: { outcome: 'NOT_SENT' } }),
    false,
  ],
  ['a GraphQLError that says nothing', () => new GraphQLError('no'), false],
  ['a defect', () => new TypeError('secret'), false],
  [
    'a read that met a 503',
    () => new RestError('unavailable', { ...call, method: 'GET' }, { status: 503 }),
    true,
  ],
];

/** How far the write had come before the error surfaced, and the outcome that the client must be told. */
const endings: readonly [string, JsonObject | Error | undefined, string][] = [
  ['before the call', undefined, 'NOT_SENT'],
  ['after the Study API stored the study', wholeStudy, 'APPLIED'],
  ['after a 422', new RestError('invalid', call, { status: 422 }), 'REJECTED'],
  ['after a lost connection', new RestError('connectionLost', call), 'UNKNOWN'],
  ['after a refused connection', new RestError('unreachable', call), 'NOT_SENT'],
  ['after a defect during the call', new TypeError('secret'), 'UNKNOWN'],
];

interface Server {
  readonly apollo: ApolloServer<Context>;
  /** Whether a plan answered, for each operation. */
  readonly byPlan: boolean[];
}

/** Starts Apollo with a mutation `write`, with plans or with graphql-js alone. */
function startServer(
  write: (studies: StudyApi, step: Step) => Promise<unknown>,
  { hasPlans }: { hasPlans: boolean },
): Server {
  const schema: GraphQLSchema = buildSchema('type Query { a: Int } type Mutation { write: Int }');
  const field = schema.getMutationType()!.getFields()['write']!;
  bindRoot(field, (_, { apis, ledger }: Context, name) =>
    write(apis.studies, ledger.beginStep(name, true)),
  );
  const errors = createErrorHandling(false);
  const plans = createPlannedExecution<Context>(schema, errors);
  const byPlan: boolean[] = [];
  const planning: OperationListener = {
    async responseForOperation(requestContext) {
      const response = hasPlans ? await plans.listener.responseForOperation!(requestContext) : null;
      byPlan.push(response !== null);
      return response;
    },
  };
  const apollo = new ApolloServer<Context>({
    schema,
    formatError: errors.formatError,
    documentStore: plans.documentStore,
    plugins: [joinListeners([errors, planning])],
    stopOnTerminationSignals: false,
  });
  onTestFinished(() => apollo.stop());
  return { apollo, byPlan };
}

const executions = surfacing.flatMap(([name, toError, isRetryable]) => [
  [`${name}, with graphql-js alone,`, toError, { hasPlans: false, isRetryable }] as const,
  [`${name}, with plans,`, toError, { hasPlans: true, isRetryable }] as const,
]);

describe.each(executions)('%s', (_, toError, { hasPlans, isRetryable }) => {
  it.each(endings)(
    'that surfaces %s does not hide the true outcome, nor call a repeat of a write safe',
    async (__, answer, outcome) => {
      const { apollo, byPlan } = startServer(
        async (studies, step) => {
          if (answer) await studies.create(step, {}).catch(() => undefined);
          throw toError();
        },
        { hasPlans },
      );
      const run = () =>
        apollo.executeOperation(
          { query: 'mutation { write }' },
          {
            contextValue: createTestContext(async () => {
              if (answer instanceof Error) throw answer;
              return answer!;
            }),
          },
        );

      // The first operation makes the plan.
      await run();
      const { body } = await run();

      expect(byPlan.at(-1)).toBe(hasPlans);
      if (body.kind !== 'single') throw new Error('nothing is streamed');
      expect(body.singleResult.errors?.map(({ extensions }) => extensions)).toEqual([
        expect.objectContaining({
          outcome,
          retryable: isRetryable && (outcome === 'NOT_SENT' || outcome === 'REJECTED'),
        }),
      ]);
      const isStored = outcome === 'APPLIED';
      expect(body.singleResult.errors?.[0]?.extensions?.['studyId']).toBe(
        isStored ? wholeStudy.id : undefined,
      );
    },
  );
});

it.each([true, false])(
  'the error of a write that the ledger lacks is believed, with plans: %s',
  async (hasPlans) => {
    const { apollo } = startServer(() => Promise.reject(new RestError('connectionLost', call)), {
      hasPlans,
    });
    const run = () =>
      apollo.executeOperation(
        { query: 'mutation { write }' },
        { contextValue: createTestContext(() => Promise.reject(new Error('no call'))) },
      );

    await run();
    const { body } = await run();

    if (body.kind !== 'single') throw new Error('nothing is streamed');
    expect(body.singleResult.errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('Whether the change was made is not known'),
        extensions: expect.objectContaining({ outcome: 'UNKNOWN', retryable: false }),
      }),
    ]);
  },
);
