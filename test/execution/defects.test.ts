import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { buildSchema, GraphQLScalarType } from 'graphql';
import { expect, it, onTestFinished } from 'vitest';
import { bindRoot, createPlannedExecution } from 'planned-execution';
import { joinListeners } from '../../src/graphql/listener.js';

const noErrors = { isExpected: () => false, formatErrors: () => [] };
const defect = new TypeError('broken');

/** Starts Apollo with plans for the field `a(x: Odd): Odd`, whose scalar `Odd` has these functions. */
function startOdd(scalar: Pick<GraphQLScalarType, 'serialize'>) {
  const schema = buildSchema('scalar Odd type Query { a(x: Odd): Odd }');
  const odd = schema.getType('Odd');
  if (!(odd instanceof GraphQLScalarType)) throw new Error('it is no scalar');
  Object.assign(odd, scalar);
  bindRoot(schema.getQueryType()!.getFields()['a']!, () => 1);
  const log: unknown[] = [];
  const logger = { error: (...line: unknown[]) => void log.push(line) };
  const { listener, documentStore } = createPlannedExecution(schema, noErrors, logger);
  const apollo = new ApolloServer({
    schema,
    documentStore,
    stopOnTerminationSignals: false,
    plugins: [joinListeners([listener]), ApolloServerPluginCacheControlDisabled()],
  });
  onTestFinished(() => apollo.stop());
  const run = async (request: { query: string; variables?: Record<string, unknown> }) =>
    (await apollo.executeOperation(request)).body;
  return { run, log };
}

it('logs a defect of a plan, and lets graphql-js answer the operation', async () => {
  let calls = 0;
  const { run, log } = startOdd({
    serialize: (value) => {
      calls += 1;
      if (calls === 2) throw defect;
      return value;
    },
  });
  await run({ query: '{ a }' });

  expect(await run({ query: '{ a }' })).toEqual({
    kind: 'single',
    singleResult: { data: { a: 1 } },
  });
  expect(log).toEqual([[{ err: defect }, 'a plan failed']]);
});
