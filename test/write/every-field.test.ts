import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { toPostInit } from '../support/post.js';
import { createScratchCopy, sources, withoutPlans } from '../support/scratch-copy.js';
import { startApi, type Run } from './every-field-api.fixture.js';
import {
  fates,
  MAX_ROOTS,
  names,
  NEW_KEY,
  parts,
  toDocument,
  type Document,
  type FateName,
  type Node,
  type Parts,
  type Root,
  type Told,
} from './every-field.fixture.js';
import { addNotes } from './second-noun.fixture.js';

// Sends mutations whose fields fail differently to one API, and compares what is told of each field with what the API
// did with the text of this field.

const SEED = 20_261_123;
const RANDOM_DOCUMENTS = 100;
/** Documents that are under way at once. */
const WORKERS = 40;
/** Successful writes sent first, so that failed calls stay a minority and the circuit stays closed. */
const CALM_WRITES = 200;

const ends: (() => Promise<void> | void)[] = [];

interface Response {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: {
      readonly outcome?: Told;
      readonly studyId?: string;
      readonly noteId?: string;
    };
  }[];
}

/** What is told of a root field, beside what the API did with its write. */
interface Row {
  readonly name: string;
  readonly told: string;
  /** Values of the response that are not those of the field's own write, and contradictions. */
  readonly strange: readonly unknown[];
  readonly calls: number;
  readonly stored: number;
}

/** Returns all values below `value`, but for the names of types. */
function toLeaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.entries(value).flatMap(([name, one]) =>
    name === '__typename' ? [] : toLeaves(one),
  );
}

function toRow(name: string, { data, errors = [] }: Response, document: Document, run: Run): Row {
  const write = document.writes.find((one) => one.name === name);
  const { text = '', fate, calls } = write ?? {};
  const value = data?.[name];
  const own = errors.filter(({ path }) => path?.[0] === name);
  const outcomes = [...new Set(own.map(({ extensions }) => extensions.outcome))].join();
  const stored = run.stored.get(text) ?? [];
  const arrived = run.arrived.filter((one) => one === text).length;
  let told: string = outcomes;
  if (value !== null)
    told = own.length === 0 ? 'a thing' : `a thing with ${outcomes.replace('APPLIED', 'an error')}`;
  const known = new Set<unknown>([...stored, text]);
  if (told === 'a thing with an error') known.add(null);
  if (calls === 0) known.add('Mutation');
  const shown = value === null ? [] : toLeaves(value);
  const ids = own.flatMap(({ extensions: { studyId, noteId } }) => studyId ?? noteId ?? []);
  const strange = [...shown, ...ids].filter((one) => !known.has(one));
  // Says why, when a call that was answered is told as one that was not.
  if (told === 'UNKNOWN' && fate && fates[fate].proves !== 'UNKNOWN') strange.push(own[0]?.message);
  if (fate === 'cut after the id' && told === 'APPLIED' && ids.length === 0) strange.push('no id');
  return { name, told, strange, calls: arrived, stored: stored.length };
}

/** Returns what is told of all root fields, in the order of the response, and the texts in the order of their calls. */
function judge(response: Response, document: Document, run: Run) {
  return {
    query: document.query,
    refusals: response.errors?.filter(({ path }) => path === undefined) ?? [],
    rows: Object.keys(response.data ?? {}).map((name) => toRow(name, response, document, run)),
    arrived: run.arrived,
  };
}

/** Returns what `judge` must return. */
function toTruth({ query, writes }: Document): ReturnType<typeof judge> {
  const rows = writes.map(({ name, told, fate, calls }): Row => {
    const stored = calls === 1 && fates[fate].stores ? 1 : 0;
    return { name, told, strange: [], calls, stored };
  });
  const arrived = writes.flatMap(({ text, calls }) => (calls === 1 ? [text] : []));
  return { query, refusals: [], rows, arrived };
}

interface Gateway {
  readonly url: string;
}

/** What executed an operation: graphql-js, if a plan left the document to it before any call. */
type By = 'a plan' | 'graphql-js';

function toBy({ callsBeforeExecution }: Run): By {
  if (callsBeforeExecution === undefined) return 'a plan';
  expect(callsBeforeExecution).toBe(0);
  return 'graphql-js';
}

/** Runs a document, compares the response with what the API did, and returns what executed the document. */
async function check(gateway: Gateway, document: Document): Promise<By> {
  const { response, run } = await send(gateway, document);
  expect(judge(response, document, run)).toEqual(toTruth(document));
  return toBy(run);
}

async function send(
  { url }: Gateway,
  { query, variables }: Document,
  lastCall = Infinity,
): Promise<{ readonly response: Response; readonly run: Run }> {
  const token = randomUUID();
  const run = api.toRun(token);
  run.lastCall = lastCall;
  const sent = Object.entries(variables).map(([name, value]) => [
    name,
    value === NEW_KEY ? randomUUID() : value,
  ]);
  const init = toPostInit(
    { query, variables: Object.fromEntries(sent) },
    { authorization: `Bearer ${token}` },
  );
  return { response: (await (await fetch(url, init)).json()) as Response, run };
}

const root = (
  name: string,
  kind: Root['kind'],
  fate: FateName,
  more: Partial<Root> = {},
): Root => ({
  name,
  kind,
  fate,
  text: 'literal',
  isKeyed: false,
  ...more,
});
const all = (count: number, selection = 2): Node[] =>
  Array.from({ length: count }, (_, index) => ({ root: index, selection }));
const alternating = ['whole', '422', '500 after storing', 'cut after the id'] as const;
const kindsInTurn = ['createStudy', 'createNote', 'editStudy', 'editNote', 'deleteNote'] as const;
const include = { directive: 'include', value: '$yes' } as const;
const leaveOut = { directive: 'skip', value: '$yes' } as const;

const mixed = [...alternating, 'broken text', 'empty 201'] as const;

/** Documents with one trick each, and what executes them in a gateway with plans. */
const tricks: Readonly<Record<string, Parts & { readonly by: By }>> = {
  '`__proto__` beside other words, as names': {
    by: 'graphql-js',
    roots: names
      .slice(0, MAX_ROOTS)
      .map((name, index) => root(name, kindsInTurn[index % 5]!, alternating[index % 4]!)),
    nodes: all(MAX_ROOTS),
    fragments: [],
  },
  'words that every object has, as names': {
    by: 'a plan',
    roots: names
      .filter((name) => name !== '__proto__')
      .slice(0, MAX_ROOTS)
      .map((name, index) => root(name, kindsInTurn[index % 5]!, mixed[index % 6]!)),
    nodes: all(MAX_ROOTS),
    fragments: [],
  },
  'fragments in fragments': {
    by: 'a plan',
    roots: [
      root('a', 'createStudy', '422'),
      root('b', 'createNote', 'whole'),
      root('c', 'createStudy', '500 after storing'),
    ],
    nodes: [
      { spread: 0 },
      { root: 1, selection: 1 },
      { on: '', nodes: [{ on: 'on Mutation ', nodes: [{ spread: 0 }, { spread: 1 }] }] },
      { root: 0, selection: 0 },
    ],
    fragments: [
      [{ root: 2, selection: 4 }, { spread: 1 }],
      [
        { root: 1, selection: 4 },
        { root: 0, selection: 5 },
      ],
    ],
  },
  'fields under the names of each other': {
    by: 'a plan',
    roots: [
      root('editStudy', 'createStudy', '422'),
      root('createStudy', 'editStudy', 'whole'),
      root('createNote', 'deleteNote', '500 before storing'),
      root('deleteNote', 'createNote', 'whole'),
      root('carelessNote', 'editNote', 'cut before the id'),
      root('editNote', 'throws after its write', 'whole'),
    ],
    nodes: all(6),
    fragments: [],
  },
  'one field twenty times': {
    by: 'a plan',
    roots: Array.from({ length: MAX_ROOTS }, (_, index) =>
      root(`n${index}`, 'createStudy', alternating[index % 4]!),
    ),
    nodes: all(MAX_ROOTS),
    fragments: [],
  },
  'one field in several places, of which one is left out': {
    by: 'graphql-js',
    roots: [root('a', 'createStudy', 'broken text'), root('b', 'createNote', '422')],
    nodes: [
      { on: '', condition: leaveOut, nodes: [{ root: 1, selection: 0 }] },
      { root: 0, selection: 0 },
      { spread: 0, condition: include },
      { root: 0, selection: 3 },
    ],
    fragments: [
      [
        { root: 1, selection: 4 },
        { root: 0, selection: 4 },
      ],
    ],
  },
  'a fragment that is left out, and spread again': {
    by: 'graphql-js',
    roots: [root('a', 'createStudy', 'whole'), root('b', 'editStudy', '409')],
    nodes: [
      { spread: 0, condition: leaveOut },
      { root: 1, selection: 5 },
      { on: 'on Mutation ', condition: include, nodes: [{ spread: 0 }] },
      { spread: 0 },
    ],
    fragments: [[{ root: 0, selection: 5 }, { spread: 1 }], [{ root: 1, selection: 3 }]],
  },
  'nothing that is executed': {
    by: 'graphql-js',
    roots: [root('a', 'createStudy', 'whole')],
    nodes: [{ root: 0, selection: 2, condition: leaveOut }],
    fragments: [],
  },
  'a resolver that throws between two fields of one name': {
    by: 'a plan',
    roots: [
      root('toString', 'createNote', '500 after storing', { text: 'input in a variable' }),
      root('a', 'throws before its write', 'whole'),
      root('constructor', 'createNote', 'whole', { text: 'input in a variable' }),
      root('length', 'createNote', 'cut after the id', { text: 'input in a variable' }),
      root('b', 'swallows the error of its write, and throws', '422'),
      root('c', 'reads before its write, and throws', 'whole'),
      root('valueOf', 'createNote', '404', { text: 'input in a variable' }),
    ],
    nodes: all(7),
    fragments: [],
  },
  'a broken field between two fields of one name': {
    by: 'a plan',
    roots: [
      root('first', 'editStudy', 'whole'),
      root('second', 'editStudy', 'broken text'),
      root('third', 'editStudy', 'empty 201'),
      root('fourth', 'editStudy', 'whole'),
    ],
    nodes: all(4),
    fragments: [],
  },
  'keys beside failures': {
    by: 'a plan',
    roots: alternating.flatMap((fate, index) => [
      root(`s${index}`, 'createStudy', fate, { isKeyed: true }),
      root(`n${index}`, 'createNote', alternating[3 - index]!, { isKeyed: true }),
    ]),
    nodes: all(8),
    fragments: [],
  },
};

let api: Awaited<ReturnType<typeof startApi>>;
let gateways: Record<'plans' | 'graphql-js alone', Gateway>;

beforeAll(async () => {
  api = await startApi((end) => void ends.push(end));
  const copy = createScratchCopy([...sources, '.oxlintrc.json'], (end) => void ends.push(end));
  addNotes(copy);
  const replace = (file: string, part: string, text: string): void =>
    copy.edit(file, (before) => {
      expect(before).toContain(part);
      return before.replace(part, text);
    });
  replace('src/graphql/limits.ts', 'MAX_TOKENS = 1_000;', 'MAX_TOKENS = 10_000;');
  replace('src/graphql/limits.ts', 'MAX_LENGTH = 20_000;', 'MAX_LENGTH = 200_000;');
  replace(
    'src/config/config.ts',
    'MAX_MUTATION_FIELDS = 5;',
    `MAX_MUTATION_FIELDS = ${MAX_ROOTS};`,
  );
  // `second-noun` checks the types of this copy.
  replace('tsconfig.build.json', '"compilerOptions": {', '"compilerOptions": { "noCheck": true,');
  // Tells the API when graphql-js begins to execute an operation.
  replace(
    'src/gateway.ts',
    'createSandbox(graphql, config.rest.contract, demoToken),',
    `{
      ...createSandbox(graphql, config.rest.contract, demoToken),
      requestDidStart: async ({ request }) => ({
        executionDidStart: async () => {
          const authorization = request.http?.headers.get('authorization') ?? '';
          await fetch(new URL('/_execution', config.rest.baseUrl), { headers: { authorization } });
        },
      }),
    },`,
  );
  writeFileSync(join(copy.root, 'without-plans.mjs'), withoutPlans);
  const start = (script?: string): Promise<Gateway> =>
    copy.start(api.url, { STUDY_API_TIMEOUT_MS: '1500' }, script);
  const [plans, alone] = await Promise.all([start(), start('without-plans.mjs')]);
  gateways = { plans, 'graphql-js alone': alone };
  return async () => {
    for (const end of ends.toReversed()) await end();
  };
}, 120_000);

describe.each(['plans', 'graphql-js alone'] as const)('every field, by %s,', (execution) => {
  beforeAll(async () => {
    const parts = { roots: [root('a', 'createStudy', 'whole')], nodes: all(1), fragments: [] };
    const calm = toDocument(parts, 0);
    await Promise.all(Array.from({ length: CALM_WRITES }, () => send(gateways[execution], calm)));
  });

  const toExpected = (by: By): By => (execution === 'plans' ? by : 'graphql-js');

  it.each(Object.entries(tricks))(
    'is told what became of its own write, in %s',
    async (_, { by, ...trick }) => {
      const document = toDocument(trick, RANDOM_DOCUMENTS);

      const first = await check(gateways[execution], document);
      const again = await check(gateways[execution], document);

      expect([first, again]).toEqual([toExpected(by), toExpected(by)]);
    },
  );

  it(`is told what became of its own write, in ${RANDOM_DOCUMENTS} random documents`, async () => {
    const random = fc.sample(parts, { numRuns: RANDOM_DOCUMENTS, seed: SEED }).map(toDocument);
    const bys: By[] = [];
    const work = async (): Promise<void> => {
      for (let next = random.pop(); next; next = random.pop())
        bys.push(await check(gateways[execution], next));
    };

    await Promise.all(Array.from({ length: WORKERS }, work));

    const count = (by: By): number => bys.filter((one) => one === toExpected(by)).length;
    expect(count('a plan')).toBeGreaterThan(RANDOM_DOCUMENTS / 6);
    expect(count('graphql-js')).toBeGreaterThan(RANDOM_DOCUMENTS / 6);
  });

  it('is told NOT_SENT from the moment on at which the API has stopped listening', async () => {
    const roots = kindsInTurn.map((kind, index) => root(`n${index}`, kind, 'whole'));
    const document = toDocument({ roots, nodes: all(5), fragments: [] }, 0);
    const { rows, arrived, ...truth } = toTruth(document);

    const { response, run } = await send(gateways[execution], document, 2);
    await api.start();

    expect(judge(response, document, run)).toEqual({
      ...truth,
      rows: [
        ...rows.slice(0, 2),
        ...rows
          .slice(2)
          .map(({ name }): Row => ({ name, told: 'NOT_SENT', strange: [], calls: 0, stored: 0 })),
      ],
      arrived: arrived.slice(0, 2),
    });
    expect(toBy(run)).toBe(execution === 'plans' ? 'a plan' : 'graphql-js');
  });
});
