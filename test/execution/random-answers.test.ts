import { ApolloServer, HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import fc from 'fast-check';
import { buildSchema, GraphQLError, type GraphQLScalarType } from 'graphql';
import { bindRoot, createPlannedExecution } from 'planned-execution';
import { expect, it, onTestFinished } from 'vitest';
import { allDaily } from '../support/daily.js';

const schema = buildSchema(`
  scalar Even
  enum Color { RED GREEN }
  input In { id: ID! color: Color = RED even: Even list: [Int!] in: In }
  type Query { a(in: In, n: Int = 3): A list(ins: [In!]): [A] strict: A! }
  type Mutation { a(in: In, n: Int): A list(ins: [In!]): [A] strictItems: [A!] text(s: String!): String strict: A! }
  type A { id: ID! even: Even color: Color! text: String a: A strict: A! list: [A] strictList: [A!]! matrix: [[Int!]] }
`);
const toEven = (value: unknown): number => {
  if (typeof value === 'number' && value % 2 === 0) return value;
  throw new TypeError('not even');
};
const even = schema.getType('Even') as GraphQLScalarType;
Object.assign(even, { serialize: toEven, parseValue: toEven });

interface Context {
  /** Results of the root fields, in the order of their calls: a function throws or rejects. */
  readonly results: unknown[];
  readonly calls: unknown[];
}

for (const type of [schema.getQueryType(), schema.getMutationType()])
  for (const field of Object.values(type!.getFields()))
    bindRoot<Context>(field, (args, { results, calls }, name) => {
      calls.push([name, args]);
      const result = results[calls.length - 1];
      return typeof result === 'function' ? result() : result;
    });

const leaves = ['id', 'even', 'color', 'text', 'matrix', '__typename'];
const condition = fc.constantFrom('', '', ' @skip(if: $yes)', ' @include(if: $no)');
const alias = fc.constantFrom('', '', 'x_', '_');

/** Selections of `A`. The alias of a field begins with the name of the field, so two fields never have the same name. */
const { selection } = fc.letrec<{ selection: string; item: string }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc
      .tuple(fc.constantFrom(...leaves), alias, condition)
      .map(([name, prefix, end]) => (prefix && `${prefix}${name}: `) + name + end),
    fc
      .tuple(fc.constantFrom('a', 'strict', 'list', 'strictList'), alias, tie('selection'))
      .map(([name, prefix, inner]) => `${prefix && `${prefix}${name}: `}${name} ${inner}`),
    fc
      .tuple(fc.constantFrom('...', '... on A'), condition, tie('selection'))
      .map(([head, end, inner]) => `${head}${end} ${inner}`),
    fc.constantFrom('...F', '...G'),
  ),
  selection: fc
    .array(tie('item'), { minLength: 1, maxLength: 6 })
    .map((all) => `{ ${all.join(' ')} }`),
}));

const types = {
  in: 'In',
  ins: '[In!]',
  n: 'Int',
  s: 'String!',
  yes: 'Boolean = false',
  no: 'Boolean! = true',
};
const root = fc.constantFrom(
  'a',
  'a(in: $in)',
  'a(in: $in, n: $n)',
  'a(in: { id: 1, list: [2] })',
  'list',
  'list(ins: $ins)',
  'strictItems',
  'strict',
  'text(s: $s)',
);
const document = fc
  .record({
    roots: fc.array(fc.tuple(root, selection), { minLength: 1, maxLength: 3 }),
    f: selection,
    g: selection,
    hasConditions: fc.constantFrom(true, false, false),
  })
  .map(({ roots, f, g, hasConditions }) => {
    const fields = roots.map(
      ([field, inner], index) => `r${index}: ${field} ${field.startsWith('text') ? '' : inner}`,
    );
    const isQuery = roots.length === 1 && !/strictItems|text\(|n: \$n/.test(fields.join());
    // A fragment that spreads itself would be invalid, as would be one that nothing spreads.
    const parts = [`${isQuery ? 'query' : 'mutation'} { ${fields.join(' ')} }`];
    const addIf = (name: string, selection: string): void => {
      if (parts.join().includes(`...${name}`)) parts.push(`fragment ${name} on A ${selection}`);
    };
    addIf('F', f.replaceAll('...F', '...G'));
    addIf('G', g.replaceAll(/\.{3}[FG]/g, 'text'));
    const all = hasConditions ? parts.join(' ') : parts.join(' ').replaceAll(/ @\w+\(.*?\)/g, '');
    const used = Object.entries(types).filter(([name]) => new RegExp(`\\$${name}\\b`).test(all));
    const definitions = used.map(([name, type]) => `$${name}: ${type}`);
    return used.length > 0 ? all.replace(' {', `(${definitions.join()}) {`) : all;
  });

const error = fc.constantFrom(
  new TypeError('secret'),
  new GraphQLError('told', {
    extensions: {
      code: 'TOLD',
      http: { status: 418, headers: new HeaderMap([['x-told', 'yes']]) },
    },
  }),
  new GraphQLError('located', { path: ['elsewhere'] }),
);
const wrong = fc.oneof(
  error,
  fc.constantFrom(null, undefined),
  fc.constantFrom('x', 13, NaN, {}, [], new Set([2])),
);
const mostly = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: wrong });
const { a } = fc.letrec<{ a: unknown }>((tie) => ({
  a: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    wrong,
    fc.record({
      id: mostly(fc.constantFrom('i', 7)),
      even: mostly(fc.constant(2)),
      color: mostly(fc.constantFrom('RED', 'GREEN')),
      text: mostly(fc.string()),
      a: tie('a'),
      strict: tie('a'),
      list: mostly(fc.array(tie('a'), { maxLength: 3 })),
      strictList: mostly(fc.array(tie('a'), { maxLength: 3 })),
      matrix: mostly(
        fc.array(mostly(fc.array(mostly(fc.integer({ min: 0, max: 9 })), { maxLength: 3 }))),
      ),
    }),
  ),
}));
const result = fc.oneof(
  { weight: 8, arbitrary: a },
  { weight: 3, arbitrary: fc.array(a, { maxLength: 4 }) },
  { weight: 2, arbitrary: a.map((value) => async () => value) },
  { weight: 1, arbitrary: error.map((value) => () => Promise.reject(value)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('no error', undefined).map((value) => () => {
      throw value;
    }),
  },
);
const input = fc.record(
  {
    id: mostly(fc.constant('i')),
    color: mostly(fc.constant('GREEN')),
    even: mostly(fc.constant(4)),
    list: mostly(fc.array(fc.integer({ max: 9 }), { maxLength: 2 })),
    in: fc.constantFrom(null, { id: 'inner' }, { id: 'inner', list: 3 }, { wat: 1 }),
  },
  { requiredKeys: [] },
);
const variables = fc.record(
  {
    in: mostly(input),
    ins: mostly(fc.array(input, { maxLength: 2 })),
    n: mostly(fc.integer({ max: 9 })),
    s: mostly(fc.string()),
    yes: mostly(fc.boolean()),
    no: mostly(fc.boolean()),
  },
  { requiredKeys: [] },
);

/** Starts Apollo. Returns a function that runs an operation and says everything that plans may not change. */
async function startServer(hasPlans: boolean) {
  let heard: readonly GraphQLError[] = [];
  let executions = 0;
  const didEncounterErrors = async ({ errors }: { errors: readonly GraphQLError[] }) => {
    heard = errors;
  };
  const plans = createPlannedExecution<Context>(schema, { didEncounterErrors });
  const plugin: ApolloServerPlugin<Context> = {
    requestDidStart: async () => ({
      ...(hasPlans && plans.listener),
      didEncounterErrors,
      executionDidStart: async () => void (executions += 1),
    }),
  };
  const server = new ApolloServer<Context>({
    schema,
    documentStore: hasPlans ? plans.documentStore : null,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // Cache control would wrap the resolvers of the schema that both servers share.
    plugins: [plugin, ApolloServerPluginCacheControlDisabled()],
  });
  await server.start();
  onTestFinished(() => server.stop());
  return async (query: string, variables: Record<string, unknown>, results: unknown[]) => {
    heard = [];
    const before = executions;
    const calls: unknown[] = [];
    const { body, http } = await server.executeOperation(
      { query, variables },
      { contextValue: { results, calls } },
    );
    if (body.kind !== 'single') throw new Error('nothing is streamed');
    return {
      isByPlan: executions === before,
      answer: {
        text: JSON.stringify(body.singleResult),
        status: http.status,
        header: http.headers.get('x-told'),
        heard: heard.map(({ message, path, originalError }) => ({ message, path, originalError })),
        calls: JSON.stringify(calls),
      },
    };
  };
}

it('plans answer random operations as graphql-js does', { timeout: 120_000 }, async () => {
  const ours = await startServer(true);
  const plain = await startServer(false);
  const counts = { plans: 0, graphqlJs: 0, planned: { errors: 0, nulls: 0 } };

  const property = fc.asyncProperty(
    document,
    variables,
    fc.array(result, { minLength: 3, maxLength: 3 }),
    async (query, given, results) => {
      const { isByPlan, answer } = await ours(query, given, results);
      expect(answer).toEqual((await plain(query, given, results)).answer);
      counts[isByPlan ? 'plans' : 'graphqlJs'] += 1;
      if (isByPlan && answer.heard.length > 0) counts.planned.errors += 1;
      if (answer.text.includes('Cannot return null')) counts.planned.nulls += isByPlan ? 1 : 0;
    },
  );
  const numRuns = allDaily(20_000, 300);
  await fc.assert(property, { numRuns });

  expect(counts.plans).toBeGreaterThan(numRuns / 5);
  expect(counts.graphqlJs).toBeGreaterThan(numRuns / 5);
  expect(counts.planned.errors).toBeGreaterThan(numRuns / 10);
  expect(counts.planned.nulls).toBeGreaterThan(numRuns / 50);
});
