import { print } from 'graphql';
import { expect, it, vi } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import { cut, halve, pass, toPage, type Hop } from './hop.fixture.js';
import {
  aKey,
  answer,
  first,
  inTurn,
  lost,
  overloaded,
  refused,
  startBrowser,
  toText,
} from './safe-writes.fixture.js';

it('sends each write with a key, and forgets it once its outcome is known', async () => {
  const { open, keys, storage, written } = await startBrowser();
  const tab = open();

  expect(await tab.create('Why?')).toBe('ok');
  expect(await tab.create('Why?')).toBe('ok');

  expect(keys).toEqual([aKey, aKey]);
  expect(keys[0]).not.toBe(keys[1]);
  expect(written()).toEqual(['Why?', 'Why?']);
  expect(Object.keys(storage)).toEqual([]);
});

const toMutation = (fields: string, rest = '') =>
  `mutation($input: CreateStudyInput!, $other: String = null) { ${fields} } ${rest}`;
const field = 'createStudy(input: $input, idempotencyKey: $other) { id }';
const input = { description: 'Why?' };

it.for([
  ['a variable with another name', toMutation(field)],
  ['an alias and __typename', toMutation(`__typename made: ${field}`)],
  ['a fragment', toMutation('...A', `fragment A on Mutation { ... on Mutation { ${field} } }`)],
])('gives a key to a write with %s', async ([, query]) => {
  const { open } = await startBrowser();
  const bodies: string[] = [];
  const sender: typeof fetch = (target, init) => {
    bodies.push(toText(init));
    return fetch(target, init);
  };
  const body = { query, variables: { input }, extensions: { a: 1 } };

  await open({ fetch: sender }).post(body);

  expect(bodies.map((text) => JSON.parse(text))).toEqual([
    { ...body, variables: { input, other: aKey } },
  ]);
});

const literal = 'createStudy(input: { description: "Why?" }';
const twice = toMutation(`${field} b: ${field}`);
const twoOperations = `${toMutation(field).replace('mutation', 'mutation A')} query B { __typename }`;
const variables = { input };

it.for<[string, unknown, boolean]>([
  ['a key of its own', { query: toMutation(field), variables: { input, other: 'key' } }, false],
  ['a literal key', { query: `mutation { ${literal}, idempotencyKey: "key") { id } }` }, false],
  ['a read', { query: '{ studies { total } }' }, false],
  ['a read of the name of a write', { query: 'query EditStudyForm { studies { total } }' }, false],
  ['a syntax error', { query: 'mutation { createStudy(' }, true],
  ['no variable for the key', { query: `mutation { ${literal}) { id } }` }, true],
  ['several root fields', { query: twice, variables }, true],
  ['several operations', { query: twoOperations, variables, operationName: 'A' }, true],
  ['a batch', [{ query: toMutation(field), variables }], true],
  ['an unknown document', { operationName: 'CreateStudy', documentId: 'a', variables }, true],
])('passes %s as it is, and warns if it writes without a key', async ([, body, isWarned]) => {
  const { open, url, storage } = await startBrowser();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const sender = vi.fn<typeof fetch>(async () => new Response('{"data":null}'));
  const init = { method: 'POST', body: JSON.stringify(body), headers: { a: 'b' } };

  await open({ fetch: sender }).fetch(url, init);

  expect(sender.mock.calls).toEqual([[url, init]]);
  expect(sender.mock.calls[0]?.[1]).toBe(init);
  expect(Object.keys(storage)).toEqual([]);
  const text = expect.stringContaining('passes without an idempotency key');
  expect(warn.mock.calls.flat()).toEqual(isWarned ? [text] : []);
});

it('passes writes to another URL, by another method, with another body, and on a server', async () => {
  const { open, url, storage } = await startBrowser();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const text = JSON.stringify({ query: toMutation(field), variables });
  const bytes = new TextEncoder().encode(text);
  const sender = vi.fn<typeof fetch>(async () => new Response('{"data":null}'));
  const tab = open({ fetch: sender });

  await tab.fetch(`${url}/other`, { method: 'POST', body: text });
  await tab.fetch(url, { method: 'PUT', body: text });
  expect(warn).not.toHaveBeenCalled();
  await tab.fetch(url, { method: 'POST', body: bytes });
  await tab.fetch(new Request(url, { method: 'POST', body: text }));
  expect(warn).toHaveBeenCalledTimes(2);
  vi.stubGlobal('window', undefined);
  await open({ fetch: sender }).fetch(url, { method: 'POST', body: text });

  const bodies = sender.mock.calls.map(([, init]) => init?.body);
  expect(bodies).toEqual([text, text, bytes, undefined, text]);
  expect(Object.keys(storage)).toEqual([]);
});

it.for([
  { documentId: 'abc' },
  { id: 'abc' },
  { doc_id: 'abc' },
  { extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } },
])('knows the trusted document of %o', async (id) => {
  const { open } = await startBrowser();
  const sent: unknown[] = [];
  const sender: typeof fetch = async (_, init) => {
    sent.push(JSON.parse(toText(init)));
    throw new DOMException('', 'AbortError');
  };
  const tab = open({ fetch: sender, documents: { abc: print(CreateStudyDocument) } });

  await tab.post({ ...id, variables }).catch(() => {});
  await first(tab.unsettledWrites).sendAgain?.();

  expect(sent[0]).toEqual({ ...id, variables: { input, idempotencyKey: aKey } });
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(tab.descriptions()).toEqual(['Why?']);
});

it('writes once for a double click, in one tab or two', async () => {
  const { open, keys, written } = await startBrowser();
  const [one, two] = [open(), open()];

  const kinds = await Promise.all([one.create('Why?'), one.create('Why?'), two.create('Why?')]);

  expect(kinds).toEqual(['ok', 'ok', 'ok']);
  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
});

it('lets no write wait for each of those that begin with it', async () => {
  const { open } = await startBrowser();
  const end = vi.fn<() => void>();
  const tab = open({ fetch: async () => new Response('{"data":{"createStudy":{}}}') });

  for (let count = 0; count < 30; count += 1) void tab.create(`${count}`).then(end);

  // Each wait would take 100 ms.
  await expect.poll(() => end.mock.calls.length, { timeout: 1500 }).toBe(30);
});

it('takes other variables or another document for another write', async () => {
  const { open, keys } = await startBrowser(inTurn(...lost));
  const tab = open();
  const send = (query: string, description: string) =>
    tab.post({ query, variables: { input: { description } } });
  const query = print(CreateStudyDocument);

  await send(query, 'Why?').catch(() => {});
  await send(query, 'When?');
  await send(`${query} `, 'Why?');
  await send(query, 'Why?');

  expect(keys.slice(4).map((key) => key === keys[0])).toEqual([false, false, true]);
});

it('repeats a connection that fails, also in the body, and the page of a proxy, and writes once', async () => {
  const { open, keys, requests, written } = await startBrowser(inTurn(cut, halve, toPage(502)));

  expect(await open().create('Why?')).toBe('ok');

  expect(requests()).toBe(4);
  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
});

it('does not repeat a write once other tabs show it', async () => {
  const { open, requests } = await startBrowser((response) => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 15_001);
    response.destroy();
  });
  const tab = open();

  expect(await tab.create('Why?')).toBe('unknown');

  expect(requests()).toBe(1);
  expect(tab.descriptions()).toEqual(['Why?']);
});

/** A GraphQL response with a status that a proxy could have, too. */
const fullGateway: Hop = (response) => {
  const extensions = { code: 'OVERLOADED', outcome: 'NOT_SENT', retryable: true };
  response.writeHead(503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ message: 'Full', extensions }] }));
};

it.for([
  { what: 'the page of a proxy with 403', hop: toPage(403), kind: 'unknown', left: ['Why?'] },
  { what: 'a page with 200', hop: toPage(200), kind: 'unknown', left: ['Why?'] },
  { what: 'NOT_SENT with 503', hop: fullGateway, kind: 'notSent', left: [] },
  { what: 'REJECTED', hop: refused, kind: 'rejected', left: [] },
  { what: 'APPLIED', hop: answer({ outcome: 'APPLIED' }), kind: 'applied', left: [] },
])('sends once after $what, and keeps an entry of what is unknown', async (row) => {
  const { open, requests, storage } = await startBrowser(row.hop);
  const tab = open();

  expect(await tab.create('Why?')).toBe(row.kind);

  expect(requests()).toBe(1);
  expect(tab.descriptions()).toEqual(row.left);
  expect(Object.keys(storage)).toHaveLength(row.left.length);
});

it('does not take an abort for a failure, and keeps the entry', async () => {
  const { open, requests, written } = await startBrowser((response) => void response);
  const tab = open();
  const controller = new AbortController();
  const call = tab.create('Why?', { signal: controller.signal });
  await expect.poll(requests).toBe(1);
  expect(tab.list()).toEqual([]);

  controller.abort();

  expect(await call).toBe('unknown');
  expect(requests()).toBe(1);
  expect(tab.descriptions()).toEqual(['Why?']);
  await expect.poll(written).toEqual(['Why?']);
});

it('lists nothing in any tab while one of two equal writes is aborted, and the other one is sent', async () => {
  const { open, requests, written } = await startBrowser((response) => void response);
  const [tab, other] = [open(), open()];
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [first, second].map(({ signal }) => tab.create('Why?', { signal }));
  await expect.poll(requests).toBe(2);

  first.abort();

  expect(await calls[0]).toBe('unknown');
  expect([tab.list(), other.list()]).toEqual([[], []]);
  second.abort();
  expect(await calls[1]).toBe('unknown');
  expect([tab.descriptions(), other.descriptions()]).toEqual([['Why?'], ['Why?']]);
  await expect.poll(written).toEqual(['Why?']);
});

it('sends nothing more after an abort between two attempts', async () => {
  const { open, requests } = await startBrowser(cut);
  vi.spyOn(Math, 'random').mockReturnValue(-0.5);
  const controller = new AbortController();
  const tab = open();
  const call = tab.create('Why?', { signal: controller.signal });
  await expect.poll(requests).toBe(1);

  controller.abort();

  expect(await call).toBe('unknown');
  expect(requests()).toBe(1);
  expect(tab.descriptions()).toEqual(['Why?']);
});

it('sends and keeps nothing if it is aborted before, or the headers cannot be had', async () => {
  const { open, storage, requests } = await startBrowser();

  await open().create('Why?', { signal: AbortSignal.abort() });
  const tab = open({ headers: () => Promise.reject(new Error('Signed out.')) });
  const { errors } = (await tab.run(CreateStudyDocument, { input })) as { errors: unknown };
  expect(errors).toMatchObject([
    { message: expect.stringContaining('Signed out.'), extensions: { outcome: 'NOT_SENT' } },
  ]);

  expect(requests()).toBe(0);
  expect(Object.keys(storage)).toEqual([]);
});

it('asks for the headers before each attempt, and sends what a token allows', async () => {
  const { open, calls } = await startBrowser(inTurn(cut, cut, toPage(401)));
  const tokens = ['first', 'second', 'third', 'fourth'];
  const seen: unknown[] = [];
  const sender: typeof fetch = (url, init) => {
    seen.push(new Headers(init?.headers).get('authorization'));
    return fetch(url, init);
  };
  const headers = async () => ({ authorization: `Bearer ${tokens.shift()}` });
  const tab = open({ fetch: sender, headers });

  await tab.create('Why?');
  await first(tab.unsettledWrites).sendAgain?.();

  expect(seen).toEqual(['Bearer first', 'Bearer second', 'Bearer third', 'Bearer fourth']);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it.for([
  ['NOT_SENT', overloaded],
  ['no token', answer({ code: 'UNAUTHENTICATED', outcome: 'REJECTED', retryable: false })],
  ['too many calls', answer({ code: 'RATE_LIMITED', outcome: 'REJECTED', retryable: true })],
  ['a used key', answer({ outcome: 'NOT_SENT', reason: 'IDEMPOTENCY_KEY_REUSED' })],
] as const)('does not take %s for the outcome of a write whose answer was lost', async (row) => {
  const [, refuse] = row;
  const { open, keys, written } = await startBrowser(inTurn(cut, refuse, refuse, refuse));
  const tab = open();

  expect(await tab.create('Why?')).toBe('unknown');
  expect(tab.descriptions()).toEqual(['Why?']);
  expect(await tab.create('Why?')).toBe('unknown');
  const problem = await first(tab.unsettledWrites).sendAgain?.();
  expect(problem).toMatchObject({ outcome: 'UNKNOWN', retryable: false });
  expect(await tab.create('Why?')).toBe('ok');

  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
  expect(tab.list()).toEqual([]);
});

it('goes on with its key when the storage is cleared between two attempts', async () => {
  const { open, storage, keys, written } = await startBrowser(inTurn(...lost));
  let attempts = 0;
  const headers = () => {
    attempts += 1;
    if (attempts > 1) for (const name of Object.keys(storage)) storage.removeItem(name);
    return { authorization: 'Bearer token' };
  };
  const tab = open({ headers });

  expect(await tab.create('Why?')).toBe('unknown');
  expect(tab.descriptions()).toEqual(['Why?']);
  expect(await open().create('Why?')).toBe('ok');

  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
});

it.for([
  { write: 'create', tabs: 1, cutOne: 'ok' },
  // The entry of an edit is gone: a newer edit could have removed it.
  { write: 'edit', tabs: 2, cutOne: 'unknown' },
] as const)(
  'writes once, and keeps nothing, if one of two equal writes is cut while the other is answered: $write',
  async ({ write, tabs, cutOne }) => {
    let answerFirst: (() => void) | undefined;
    const hold: Hop = (response, text) => {
      answerFirst = () => pass(response, text);
    };
    const { open, keys, written, storage } = await startBrowser(inTurn(hold, cut));
    // The cut write waits for the answer to the other one.
    vi.spyOn(Math, 'random').mockReturnValue(-0.6);
    const one = open();
    const two = tabs === 1 ? one : open();
    const held = one[write]('Why?');
    await expect.poll(() => answerFirst).toBeDefined();
    const repeated = two[write]('Why?');
    await expect.poll(() => keys.length).toBe(2);
    answerFirst?.();

    expect(await Promise.all([held, repeated])).toEqual(['ok', cutOne]);
    expect(new Set(keys).size).toBe(1);
    expect(written()).toEqual(['Why?']);
    expect(Object.keys(storage)).toEqual([]);
  },
);
