import { ApolloServer } from '@apollo/server';
import { buildSchema, GraphQLError, type GraphQLSchema } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/context.js';
import { createErrorFormat } from '../../src/graphql/format-error.js';
import { joinListeners } from '../../src/graphql/operation-listener.js';
import {
  RestConnectionLostError,
  RestStatusError,
  RestUnreachableError,
} from '../../src/rest/errors.js';
import type { JsonObject } from '../../src/rest/rest-call.js';
import type { StudyApi } from '../../src/study/study.api.js';
import { createTestContext } from '../support/context.js';
import { wholeStudy } from '../support/studies.js';

/** Errors that claim a wrong outcome, and errors without an outcome. */
const surfacing: readonly [string, () => Error][] = [
  [
    'a GraphQLError that says NOT_SENT',
    () => new GraphQLError('no', { extensions: { outcome: 'NOT_SENT' } }),
  ],
  ['a GraphQLError that says nothing', () => new GraphQLError('no')],
  ['a defect', () => new TypeError('secret')],
];

const call = {
  method: 'POST',
  path: '/studies',
  template: '/studies',
  token: 't',
  requestId: 'id',
} as const;

/** How far the write had come before the error surfaced, and the outcome that the client must be told. */
const endings: readonly [string, JsonObject | Error | undefined, string][] = [
  ['before the call', undefined, 'NOT_SENT'],
  ['after the Study API stored the study', wholeStudy, 'APPLIED'],
  ['after a 422', new RestStatusError(call, 422, undefined, []), 'REJECTED'],
  ['after a lost connection', new RestConnectionLostError(call, undefined), 'UNKNOWN'],
  ['after a refused connection', new RestUnreachableError(call, undefined), 'NOT_SENT'],
  ['after a defect during the call', new TypeError('secret'), 'UNKNOWN'],
];

async function startServer(write: (studies: StudyApi) => Promise<unknown>) {
  const schema: GraphQLSchema = buildSchema('type Query { a: Int } type Mutation { write: Int }');
  schema.getMutationType()!.getFields()['write']!.resolve = (_, __, { studies }: Context) =>
    write(studies);
  const { formatError, listener } = createErrorFormat({ isProduction: false, authMode: 'forward' });
  const apollo = new ApolloServer<Context>({
    schema,
    formatError,
    plugins: [joinListeners([listener])],
    stopOnTerminationSignals: false,
  });
  onTestFinished(() => apollo.stop());
  return apollo;
}

describe.each(surfacing)('%s', (_, toError) => {
  it.each(endings)(
    'that surfaces %s does not hide the true outcome',
    async (__, answer, outcome) => {
      const apollo = await startServer(async (studies) => {
        if (answer) await studies.create('write', {}).catch(() => undefined);
        throw toError();
      });
      const contextValue = createTestContext(async () => {
        if (answer instanceof Error) throw answer;
        return answer!;
      });

      const { body } = await apollo.executeOperation(
        { query: 'mutation { write }' },
        { contextValue },
      );

      if (body.kind !== 'single') throw new Error('nothing is streamed');
      expect(body.singleResult.errors?.map(({ extensions }) => extensions)).toEqual([
        expect.objectContaining({ outcome }),
      ]);
      const isStored = outcome === 'APPLIED';
      expect(body.singleResult.errors?.[0]?.extensions?.['studyId']).toBe(
        isStored ? wholeStudy.id : undefined,
      );
    },
  );
});
