import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { allDaily } from '../support/daily.js';
import { findFreePort } from '../support/process.js';
import { toPostInit } from '../support/post.js';
import { run } from '../support/run.js';
import {
  createScratchCopy,
  sources,
  withoutPlans,
  type ScratchCopy,
} from '../support/scratch-copy.js';
import { addNotes, findPlaces } from './second-noun.fixture.js';

/** What the client learns of one root field. */
type Told = 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN' | 'a thing' | 'nothing';
type Answer = (response: ServerResponse, thing: string) => void;

interface Row {
  readonly when: string;
  readonly told: Told;
  readonly stored: 0 | 1;
  readonly answer: Answer;
}

const reply =
  (status: number, body?: string, headers: object = {}): Answer =>
  (response, thing) =>
    void response.writeHead(status, { ...headers }).end(body ?? (status === 200 ? thing : ''));

const cut =
  (part: (thing: string) => string): Answer =>
  (response, thing) => {
    response.writeHead(200, { 'content-length': 1_000 });
    response.write(part(thing), () => response.socket?.destroy());
  };

/** Answers that prove nothing: the API may have sent them before or after it stored the write. */
const unproven: readonly (readonly [when: string, answer: Answer])[] = [
  ['a lost connection', (response) => void response.socket?.destroy()],
  ['a reset', (response) => void response.socket?.resetAndDestroy()],
  ['a silence', () => {}],
  ['a cut before the id', cut((thing) => thing.slice(0, 4))],
  ['an empty 200', reply(200, '')],
  ['a refusal with 200', reply(200, '{"success":false}')],
  ['a promise with 202', reply(202, '{"status":"queued"}')],
  // The `readId` of notes throws.
  ['an id that cannot be read', reply(200, '{"id":"unreadable"}')],
  ['a cut after an id that cannot be read', cut(() => '{"id":"unreadable",')],
  ['a page', reply(200, '<html></html>', { 'content-type': 'text/html' })],
  ...[302, 307, 408, 460, 499, 500, 503, 504].map(
    (status) => [String(status), reply(status)] as const,
  ),
];
const refusals = [400, 401, 403, 404, 409, 410, 412, 413, 415, 422, 429];

const rows: readonly Row[] = [
  { when: 'a whole answer', told: 'a thing', stored: 1, answer: reply(200) },
  {
    when: 'a cut after the id',
    told: 'APPLIED',
    stored: 1,
    answer: cut((thing) => thing.slice(0, 60)),
  },
  { when: 'an empty 201', told: 'APPLIED', stored: 1, answer: reply(201) },
  { when: 'an empty 204', told: 'APPLIED', stored: 1, answer: reply(204) },
  ...refusals.map((status): Row => ({
    when: String(status),
    told: 'REJECTED',
    stored: 0,
    answer: reply(status),
  })),
  ...unproven.flatMap(([when, answer]): Row[] => [
    { when: `${when} before storing`, told: 'UNKNOWN', stored: 0, answer },
    { when: `${when} after storing`, told: 'UNKNOWN', stored: 1, answer },
  ]),
];
const behaviors = new Map(rows.map((row) => [row.when, row]));

const ends: (() => Promise<void> | void)[] = [];

/** Starts an API of studies and notes that does with each write what the text of the write says. */
async function startApi() {
  /** The text of each stored write, or its method and path if the write has no text. */
  const stored: string[] = [];
  const answerWrite = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '' } = request;
    const body = await readText(request);
    const { text, description } = JSON.parse(body || '{}') as Record<string, string>;
    const name = text ?? description ?? `${method} ${url}`;
    const { answer, stored: count } = behaviors.get(name.split(' #')[0]!) ?? rows[0]!;
    if (count === 1) stored.push(name);
    const id = method === 'POST' ? randomUUID() : url.split('/')[2];
    if (method === 'DELETE') reply(204)(response, '');
    // No `done` of a note's progress is an integer.
    else answer(response, JSON.stringify({ id, text, description, progress: { done: 'all' } }));
  };
  const server = createServer((request, response) => void answerWrite(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ends.push(() => (server.closeAllConnections(), void server.close()));
  return { url, count: (name: string) => stored.filter((one) => one === name).length };
}

interface Response {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors?: readonly {
    readonly message: string;
    readonly path: readonly string[];
    readonly extensions: { readonly outcome: Told; readonly noteId?: string; studyId?: string };
  }[];
}

interface Copy {
  readonly api: Awaited<ReturnType<typeof startApi>>;
  readonly ask: (query: string, variables: object) => Promise<Response>;
  /** Runs an operation, and returns what the client learns of each root field. */
  readonly tell: (query: string, variables: object) => Promise<Record<string, Told>>;
  readonly readMetrics: () => Promise<string>;
  readonly output: () => string;
}

async function startCopy(
  copy: ScratchCopy,
  environment: Readonly<Record<string, string>>,
  script?: string,
) {
  const api = await startApi();
  const ask: Copy['ask'] = async (query, variables) => {
    const init = toPostInit({ query, variables });
    return (await (await fetch(gateway.url, init)).json()) as Response;
  };
  const metricsPort = String(await findFreePort());
  const variables = {
    STUDY_API_TIMEOUT_MS: '1500',
    METRICS_PORT: metricsPort,
    ...environment,
  };
  const gateway = await copy.start(api.url, variables, script);
  return {
    api,
    ask,
    output: gateway.output,
    readMetrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    async tell(query, variables) {
      const { data, errors = [] } = await ask(query, variables);
      const toTold = (name: string): Told => {
        const error = errors.find(({ path }) => path[0] === name);
        return error?.extensions.outcome ?? (data[name] === null ? 'nothing' : 'a thing');
      };
      return Object.fromEntries(Object.keys(data).map((name) => [name, toTold(name)]));
    },
  } satisfies Copy;
}

/** Returns how many calls of a route the metrics have counted. */
function countCalls(metrics: string, route: string): number {
  const series = metrics.matchAll(/^study_gateway_rest_calls_total\{route="([^"]*)".*\} (\d+)$/gm);
  return [...series].reduce((sum, [, of, count]) => sum + (of === route ? Number(count) : 0), 0);
}

/** Returns the places that CONTRIBUTING.md names in the steps of the section "The next noun". */
function readSteps(): string[] {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, section = ''] = /^## The next noun\n([^]*?)^That is all/m.exec(text) ?? [];
  const steps = [...section.matchAll(/^\d\. (.+?): /gm)].map(([, places = '']) => places);
  return steps.flatMap((places) => places.split(', ')).map((place) => place.slice(1, -1));
}

/** A write of the noun under an alias in a fragment, between two writes of studies. */
const between = (variables: string, write: string): string => `
  mutation Between(${variables}) {
    before: createStudy(input: { description: "before" }) { id }
    ...Write
    after: createStudy(input: { description: "after" }) { id }
  }
  fragment Write on Mutation { noted: ${write} { id text } }
`;
const createNote = between(
  '$text: String, $key: UUID',
  'createNote(input: { text: $text }, idempotencyKey: $key)',
);
const carelessNote = between(
  '$text: String, $how: String!',
  'carelessNote(input: { text: $text }, how: $how)',
);
const id = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';

let copy: ScratchCopy;
let copies: Record<'plans' | 'graphql-js alone', Copy>;

beforeAll(async () => {
  copy = createScratchCopy([...sources, '.oxlintrc.json'], (end) => void ends.push(end));
  addNotes(copy);
  writeFileSync(join(copy.root, 'without-plans.mjs'), withoutPlans);
  const [plans, alone] = await Promise.all([
    startCopy(copy, {}),
    startCopy(copy, {}, 'without-plans.mjs'),
  ]);
  copies = { plans, 'graphql-js alone': alone };
  return async () => {
    for (const end of ends.toReversed()) await end();
  };
}, 120_000);

const executions = allDaily(['plans', 'graphql-js alone'], ['plans']);

describe.each(executions)('a second noun, by %s,', (execution) => {
  it('tells of each field what became of its own write, in the answer, the log and the metrics', async () => {
    const { api, tell, readMetrics, output } = copies[execution];
    const usedKey = randomUUID();
    const first = `mutation { used: createNote(input: { text: "a whole answer #used" }, idempotencyKey: "${usedKey}") { id } }`;
    await tell(first, {});
    const query = `mutation Nouns {
      lost: createStudy(input: { description: "500 after storing #nouns" }) { id }
      cut: editNote(id: "${id}", input: { text: "a cut after the id #nouns" }) { id text }
      deleted: deleteNote(id: "${id}")
      stopped: createNote(input: { text: "500 before storing #nouns" }, idempotencyKey: "${usedKey}") { id }
      stored: createNote(input: { text: "a whole answer #nouns" }) { id text }
    }`;
    const before = await readMetrics();

    const told = await tell(query, {});

    expect(told).toEqual({
      lost: 'UNKNOWN',
      cut: 'APPLIED',
      deleted: 'a thing',
      stopped: 'NOT_SENT',
      stored: 'a thing',
    });
    expect(
      ['500 after storing', 'a cut after the id', '500 before storing', 'a whole answer']
        .map((when) => api.count(`${when} #nouns`))
        .concat(api.count(`DELETE /notes/${id}`)),
    ).toEqual([1, 1, 0, 1, 1]);
    const after = await readMetrics();
    const calls = [
      'POST /notes',
      'PATCH /notes/{note_id}',
      'DELETE /notes/{note_id}',
      'POST /studies',
    ];
    expect(calls.map((route) => countCalls(after, route) - countCalls(before, route))).toEqual([
      1, 1, 1, 1,
    ]);
    const findLine = () => /^.*"operationName":"Nouns".*$/m.exec(output())?.[0];
    await expect.poll(findLine).toBeDefined();
    expect(JSON.parse(findLine()!)).toMatchObject({
      restCalls: 5,
      outcome: 'UNKNOWN',
      errors: ['lost', 'cut', 'stopped'].map((field) => ({
        field,
        outcome: told[field],
      })),
    });
  });

  it('names each noun in its errors', async () => {
    const { ask } = copies[execution];
    const query = `mutation {
      cutNote: editNote(id: "${id}", input: { text: "a cut after the id #named" }) { id }
      cutStudy: editStudy(id: "${id}", input: { description: "a cut after the id #named" }) { id }
      hiddenNote: createNote(input: { text: "a refusal with 200 after storing #named" }) { id }
      hiddenStudy: createStudy(input: { description: "a refusal with 200 after storing #named" }) { id }
      brokenNote: createNote(input: { text: "a whole answer #named" }) { text progress { done } }
    }`;

    const { errors = [] } = await ask(query, {});

    const cut = 'The answer of the Study API cannot be read. The change was made.';
    const toHidden = (noun: string): string =>
      `The Study API answered with status 200, and the answer does not show the ${noun}. Whether the change was made is not known: check before repeating it.`;
    const broken =
      'The Study API answered "progress.done" with a string where an integer was expected.';
    const toNamed = ({ path, message, extensions }: (typeof errors)[number]) => {
      const { noteId, studyId } = extensions;
      return [path.join('.'), [message, { noteId, studyId }]];
    };
    expect(Object.fromEntries(errors.map(toNamed))).toEqual({
      cutNote: [cut, { noteId: id }],
      cutStudy: [cut, { studyId: id }],
      hiddenNote: [toHidden('note'), {}],
      hiddenStudy: [toHidden('study'), {}],
      'brokenNote.progress.done': [broken, { noteId: expect.any(String) }],
    });
  });

  it.each(['without a key', 'with a key, and again'])(
    'tells the truth of every failure, %s',
    async (how) => {
      const { api, tell } = copies[execution];
      const isKeyed = how !== 'without a key';
      const told = await Promise.all(
        rows.map(async ({ when }) => {
          const text = `${when} #${how}`;
          const variables = { text, key: isKeyed ? randomUUID() : null };
          const first = await tell(createNote, variables);
          const last = isKeyed ? await tell(createNote, variables) : first;
          // The keys know no read of a note: a repeat gets its id alone.
          const noted = isKeyed && first['noted'] === 'a thing' ? 'APPLIED' : first['noted'];
          expect(last).toEqual({ ...first, noted });
          return { when, ...first, stored: api.count(text) };
        }),
      );

      expect(told).toEqual(
        rows.map(({ when, told: noted, stored }) => ({
          when,
          before: 'a thing',
          noted,
          after: 'a thing',
          stored,
        })),
      );
    },
  );

  it.each([
    ['throws before its write', 'a whole answer', 'NOT_SENT', 0],
    ['throws after its write', 'a whole answer', 'APPLIED', 1],
    ['swallows the error of its write, and throws', '422', 'REJECTED', 0],
    ['swallows the error of its write, and throws', '500 after storing', 'UNKNOWN', 1],
    ['writes twice', 'a whole answer', 'APPLIED', 1],
    ['writes twice at once', 'a silence after storing', 'UNKNOWN', 1],
    ['forgets to await its write, and throws', 'a silence before storing', 'UNKNOWN', 0],
    ['forgets to await its write, and throws', 'a silence after storing', 'UNKNOWN', 1],
  ])('tells the truth when its resolver %s, after %s', async (how, when, noted, stored) => {
    const { api, tell } = copies[execution];
    const text = `${when} #${how}`;

    const told = await tell(carelessNote, { text, how });

    expect(told).toEqual({ before: 'a thing', noted, after: 'a thing' });
    await expect.poll(() => api.count(text)).toBe(stored);
  });

  it.each(['writes by the calls of an earlier operation', 'writes after it has thrown'])(
    'sends nothing when its resolver %s',
    async (how) => {
      const { api, tell } = copies[execution];
      const text = `a whole answer #${how}`;
      await tell(carelessNote, { text, how: 'keeps its calls' });

      const told = await tell(carelessNote, { text, how });

      expect(told).toEqual({ before: 'a thing', noted: 'NOT_SENT', after: 'a thing' });
      // The late write would be sent while this call times out.
      await tell(createNote, { text: 'a silence before storing' });
      expect(api.count(text)).toBe(0);
    },
  );

  it('sends nothing when a query writes', async () => {
    const { api, tell } = copies[execution];
    const query = 'query ($text: String) { noted: writingQuery(input: { text: $text }) { id } }';

    await tell(query, { text: 'a whole answer #query' });

    expect(api.count('a whole answer #query')).toBe(0);
  });
});

/** A program whose `authorize` knows of a second noun only by the names in its questions. */
const guarded = `
import { startGateway } from './dist/index.js';

const authorize = (_, { operation, result }) =>
  process.env.REFUSES === 'calls' ? !/note/i.test(operation) : !(result && 'text' in result);
const { url } = await startGateway(process.env, { authorize });
process.stdout.write(\`  GraphQL  \${url}/graphql \\n\`);
`;

it('asks authorize before each operation of a second noun, and for each note to show', async () => {
  writeFileSync(join(copy.root, 'guarded.mjs'), guarded);
  const [calls, notes]: Copy[] = await Promise.all(
    ['calls', 'notes'].map((REFUSES) => startCopy(copy, { REFUSES }, 'guarded.mjs')),
  );
  const write = `mutation {
    createNote(input: { text: "a whole answer #guarded" }) { id text }
    editNote(id: "${id}", input: { text: "a whole answer #guarded" }) { id text }
    deleteNote(id: "${id}")
    createStudy(input: { description: "a whole answer" }) { id }
  }`;
  const read = `{ note(id: "${id}") { id text } study(id: "${id}") { id } }`;

  expect({ ...(await calls!.tell(write, {})), ...(await calls!.tell(read, {})) }).toEqual({
    createNote: 'NOT_SENT',
    editNote: 'NOT_SENT',
    deleteNote: 'NOT_SENT',
    createStudy: 'a thing',
    note: 'NOT_SENT',
    study: 'a thing',
  });
  expect(calls!.api.count('a whole answer #guarded')).toBe(0);
  expect({ ...(await notes!.tell(write, {})), ...(await notes!.tell(read, {})) }).toEqual({
    createNote: 'APPLIED',
    editNote: 'APPLIED',
    // Shows no note.
    deleteNote: 'a thing',
    createStudy: 'a thing',
    note: 'nothing',
    study: 'a thing',
  });
  expect(notes!.api.count('a whole answer #guarded')).toBe(2);
});

it('needs for a second noun changes in the places that CONTRIBUTING.md names, and at most six', () => {
  const places = findPlaces(copy.root);

  expect(places.toSorted()).toEqual(readSteps().toSorted());
  expect(places.length).toBeLessThanOrEqual(6);
});

it('lets the linter accept a second noun, and hold its folder to the directions of studies', async () => {
  const lint = (): Promise<string> =>
    run(copy.root, process.execPath, ['node_modules/oxlint/bin/oxlint', '--format', 'unix', 'src']);

  expect(await lint()).toBe('');

  writeFileSync(join(copy.root, 'src/note/note.wire.ts'), "export * from '../http/app.js';\n");
  await expect(lint()).rejects.toThrow(/src\/note\/note\.wire\.ts:1:.*no-restricted-imports/);
});
