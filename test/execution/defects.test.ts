import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { buildSchema, GraphQLScalarType } from 'graphql';
import { expect, it, onTestFinished } from 'vitest';
import { createPlannedExecution } from '../../src/execution/planned-execution.js';

const noErrors = { isExpected: () => false, formatErrors: () => [] };

it('logs a defect of a plan, and lets graphql-js answer the operation', async () => {
  const schema = buildSchema('scalar Odd type Query { a: Odd }');
  const defect = new TypeError('once');
  const scalar = schema.getType('Odd');
  if (!(scalar instanceof GraphQLScalarType)) throw new Error('it is no scalar');
  let calls = 0;
  scalar.serialize = (value) => {
    calls += 1;
    if (calls === 2) throw defect;
    return value;
  };
  schema.getQueryType()!.getFields()['a']!.resolve = () => 1;
  const log: unknown[] = [];
  const { plugin, documentStore } = createPlannedExecution(schema, noErrors, {
    error: (...line) => void log.push(line),
  });
  const apollo = new ApolloServer({
    schema,
    documentStore,
    stopOnTerminationSignals: false,
    plugins: [plugin, ApolloServerPluginCacheControlDisabled()],
  });
  onTestFinished(() => apollo.stop());
  const run = async () => (await apollo.executeOperation({ query: '{ a }' })).body;
  await run();

  expect(await run()).toEqual({ kind: 'single', singleResult: { data: { a: 1 } } });
  expect(log).toEqual([[{ err: defect }, 'a plan failed']]);
});

it('logs a defect in the coercion of a variable, and lets graphql-js answer the operation', async () => {
  const schema = buildSchema('scalar Odd type Query { a(x: Odd): Int }');
  const defect = new TypeError('broken');
  const scalar = schema.getType('Odd');
  if (!(scalar instanceof GraphQLScalarType)) throw new Error('it is no scalar');
  scalar.parseValue = () => {
    throw defect;
  };
  schema.getQueryType()!.getFields()['a']!.resolve = () => 1;
  const log: unknown[] = [];
  const { plugin, documentStore } = createPlannedExecution(schema, noErrors, {
    error: (...line) => void log.push(line),
  });
  const apollo = new ApolloServer({
    schema,
    documentStore,
    stopOnTerminationSignals: false,
    plugins: [plugin, ApolloServerPluginCacheControlDisabled()],
  });
  onTestFinished(() => apollo.stop());
  const run = async () =>
    (await apollo.executeOperation({ query: 'query ($x: Odd) { a(x: $x) }', variables: { x: 1 } }))
      .body;
  await run();

  expect(await run()).toMatchObject({
    singleResult: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
  });
  expect(log).toContainEqual([{ err: defect }, 'a plan failed']);
});
