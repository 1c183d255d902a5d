import { expect, it, onTestFinished, vi } from 'vitest';
import { CreateStudyDocument, type UnsettledWrites, type WriteStorage } from 'study-gateway-client';
import { print } from 'graphql';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { cut, halve, pass, toPage, type Hop } from './hop.fixture.js';
import { answer, createStorage, inTurn, startBrowser, toText } from './safe-writes.fixture.js';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Fails once with 500, then answers with a study. */
function failOnce(): Respond {
  const answers = [answerJson({}, 500)];
  return (...args) => (answers.shift() ?? answerJson(wholeStudy))(...args);
}

const four = (hop: Hop) => [hop, hop, hop, hop];

const first = (writes: UnsettledWrites) => {
  const [write] = writes.list();
  if (!write) throw new Error('No unsettled write.');
  return write;
};

it('sends a write with a key, and forgets it once its outcome is known', async () => {
  const { open, keys, storage, written } = await startBrowser();
  const tab = open();

  expect(await tab.create('Why?')).toBe('ok');
  expect(await tab.create('Why?')).toBe('ok');

  expect(keys).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
  expect(keys[0]).not.toBe(keys[1]);
  expect(written()).toEqual(['Why?', 'Why?']);
  await expect.poll(() => Object.keys(storage)).toEqual([]);
});

const literal = '{ description: "Why?" }';
const toMutation = (fields: string, rest = '') =>
  `mutation($input: CreateStudyInput!, $other: String) { ${fields} } ${rest}`;
const field = 'createStudy(input: $input, idempotencyKey: $other) { id }';

it.for([
  ['a variable with another name', toMutation(field)],
  ['an alias and __typename', toMutation(`__typename made: ${field}`)],
  ['a fragment', toMutation('...A', `fragment A on Mutation { ... on Mutation { ${field} } }`)],
  [
    'null as default of the key',
    toMutation(field).replace('$other: String', '$other: String = null'),
  ],
])('gives a key to a write with %s', async ([, query]) => {
  const { open, url } = await startBrowser();
  const bodies: string[] = [];
  const sender: typeof fetch = (target, init) => {
    bodies.push(toText(init));
    return fetch(target, init);
  };
  const body = { query, variables: { input: { description: 'Why?' } }, extensions: { a: 1 } };

  await open({ fetch: sender, url }).post(body);

  const other = expect.stringMatching(uuid);
  expect(JSON.parse(String(bodies[0]))).toEqual({
    ...body,
    variables: { ...body.variables, other },
  });
});

const variables = { input: { description: 'Why?' }, other: 'b6f0b3d8-6a43-4c29-9d5c-0c8f5d1f7a11' };

it.for<[string, unknown, boolean?]>([
  ['a key of its own', { query: toMutation(field), variables }],
  [
    'a literal key',
    {
      query: `mutation { createStudy(input: ${literal}, idempotencyKey: "${variables.other}") { id } }`,
    },
  ],
  ['a read', { query: '{ studies { total } }' }],
  ['a read of the name of a write', { query: 'query EditStudyForm { studies { total } }' }],
  ['a syntax error', { query: 'mutation { createStudy(' }, true],
  [
    'no variable for the key',
    { query: `mutation { createStudy(input: ${literal}) { id } }` },
    true,
  ],
  [
    'several root fields',
    {
      query: toMutation(`${field} b: createStudy(input: $input, idempotencyKey: $other) { id }`),
      variables: { input: {} },
    },
    true,
  ],
  [
    'several operations',
    {
      query: `${toMutation(field).replace('mutation', 'mutation A')} query B { __typename }`,
      variables: { input: {} },
      operationName: 'A',
    },
    true,
  ],
  ['a batch', [{ query: toMutation(field), variables: { input: {} } }], true],
  [
    'an unknown trusted document',
    { operationName: 'CreateStudy', documentId: 'a', variables: { input: {} } },
    true,
  ],
])('passes %s as it is, and warns if it writes without a key', async ([, body, isWarned]) => {
  const { open, url, storage } = await startBrowser();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const sent: unknown[] = [];
  const sender: typeof fetch = async (...args) => {
    sent.push(...args);
    return new Response('{"data":null}');
  };
  const init = { method: 'POST', body: JSON.stringify(body), headers: { a: 'b' } };

  await open({ fetch: sender }).fetch(url, init);

  expect(sent[0]).toBe(url);
  expect(sent[1]).toBe(init);
  await expect.poll(() => Object.keys(storage)).toEqual([]);
  const text = expect.stringContaining('passes without an idempotency key');
  expect(warn.mock.calls.flat()).toEqual(isWarned ? [text] : []);
});

it('passes writes to another URL, by another method, with another body, and on a server', async () => {
  const { open, url, keys, storage } = await startBrowser();
  const body = { query: toMutation(field), variables: { input: {} } };
  const text = JSON.stringify(body);
  const sent: unknown[] = [];
  const sender: typeof fetch = async (...args) => {
    sent.push(args[1]?.body);
    return new Response('{"data":null}');
  };
  const tab = open({ fetch: sender });
  const bytes = new TextEncoder().encode(text);

  await tab.fetch(`${url}/other`, { method: 'POST', body: text });
  await tab.fetch(url, { method: 'PUT', body: text });
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await tab.fetch(url, { method: 'POST', body: bytes });
  await tab.fetch(new Request(url, { method: 'POST', body: text }));
  expect(warn).toHaveBeenCalledTimes(2);
  vi.stubGlobal('window', undefined);
  await open({ fetch: sender }).fetch(url, { method: 'POST', body: text });

  expect(sent).toEqual([text, text, bytes, undefined, text]);
  expect(keys).toEqual([]);
  await expect.poll(() => Object.keys(storage)).toEqual([]);
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
    return toPromise();
  };
  const toPromise = () => Promise.reject<Response>(new DOMException('', 'AbortError'));
  const documents = { abc: print(CreateStudyDocument) };
  const tab = open({ fetch: sender, documents });
  const input = { description: 'Why?' };

  await tab.post({ ...id, variables: { input } }).catch(() => {});
  await first(tab.unsettledWrites).sendAgain?.();

  const variables = { input, idempotencyKey: expect.stringMatching(uuid) };
  expect(sent).toEqual([
    { ...id, variables },
    { ...id, variables },
  ]);
  expect(sent[1]).toEqual(sent[0]);
  expect(tab.descriptions()).toEqual(['Why?']);
});

it('has an entry in the storage before it sends, and neither headers nor token in it', async () => {
  const { open, url, storage } = await startBrowser();
  let stored: string[] = [];
  const sender: typeof fetch = async () => {
    stored = Object.values(storage) as string[];
    throw new DOMException('', 'AbortError');
  };
  const before = Date.now();

  await open({ fetch: sender }).create('Why?');

  expect(stored).toHaveLength(1);
  const { body, since, sendingUntil, key, ...entry } = JSON.parse(String(stored[0]));
  expect(entry).toEqual({
    url,
    owner: 'ada',
    operation: 'createStudy',
    open: 1,
    next: 'sendAgain',
  });
  expect(JSON.parse(body)).toEqual({
    query: print(CreateStudyDocument),
    variables: { input: { description: 'Why?' }, idempotencyKey: key },
  });
  expect(since).toBeGreaterThanOrEqual(before);
  expect(sendingUntil).toBeGreaterThan(since);
  expect(stored[0]).not.toContain('Bearer');
});

it.for([
  { what: 'a full storage', storage: { setItem: () => fail('QuotaExceededError') } },
  {
    what: 'a forbidden storage',
    storage: new Proxy(
      {},
      { get: () => fail('SecurityError'), ownKeys: () => fail('SecurityError') },
    ),
  },
  { what: 'no storage', storage: null },
  { what: 'no owner', storage: createStorage(), owner: () => undefined },
])('keeps an unsettled write in memory with $what', async ({ storage, ...row }) => {
  const { open, written } = await startBrowser(inTurn(...four(cut)));
  const tab = open({ storage: storage as WriteStorage | null, ...('owner' in row && row) });

  expect(await tab.create('Why?')).toBe('unknown');

  expect(first(tab.unsettledWrites)).toMatchObject({
    input: { description: 'Why?' },
    stored: false,
  });
  expect(await first(tab.unsettledWrites).sendAgain?.()).toBeUndefined();
  expect(tab.list()).toEqual([]);
  expect(written()).toEqual(['Why?']);
});

function fail(name: string): never {
  throw new DOMException('', name);
}

it('writes once for a double click, in one tab or two', async () => {
  const { open, keys, written } = await startBrowser();
  const [one, two] = [open(), open()];

  const kinds = await Promise.all([one.create('Why?'), one.create('Why?'), two.create('Why?')]);

  expect(kinds).toEqual(['ok', 'ok', 'ok']);
  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
});

it('takes variables in another order for equal, and other ones or another document not', async () => {
  const { open, keys } = await startBrowser(inTurn(...four(cut)));
  const tab = open();
  const send = (document: string, given: object) =>
    tab.post({ query: document, variables: { input: given } });
  const query = print(CreateStudyDocument);

  await send(query, { description: 'Why?', language: 'en' }).catch(() => {});
  await send(query, { description: 'Why?', language: 'de' });
  await send(`${query} `, { description: 'Why?', language: 'en' });
  await send(query, { language: 'en', description: 'Why?' });

  expect(keys[4]).not.toBe(keys[0]);
  expect(keys[5]).not.toBe(keys[0]);
  expect(keys[6]).toBe(keys[0]);
});

it('sends a twin whose key is its own', async () => {
  const { open, written } = await startBrowser(inTurn(...four(cut)));
  const tab = open();
  await tab.create('Why?');

  const input = { description: 'Why?' };
  const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
  await tab.run(CreateStudyDocument, { input, idempotencyKey: crypto.randomUUID() }, { headers });

  expect(written()).toEqual(['Why?', 'Why?']);
  expect(tab.descriptions()).toEqual(['Why?']);
});

it('repeats a connection that fails, also in the body, and the page of a proxy, and writes once', async () => {
  const { open, keys, requests, written } = await startBrowser(inTurn(cut, halve, toPage(502)));

  expect(await open().create('Why?')).toBe('ok');

  expect(requests()).toBe(4);
  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
});

it.for([
  { what: 'a refusal of a proxy', hop: toPage(403), kind: 'unknown', left: ['Why?'] },
  { what: 'a page with 200', hop: toPage(200), kind: 'unknown', left: ['Why?'] },
  { what: 'an answer with 503', hop: fullGateway(), kind: 'notSent', left: [] },
])('sends once after $what', async ({ hop, kind, left }) => {
  const { open, requests } = await startBrowser(hop);
  const tab = open();

  expect(await tab.create('Why?')).toBe(kind);

  expect(requests()).toBe(1);
  expect(tab.descriptions()).toEqual(left);
});

/** A GraphQL response with a status that a proxy could have, too. */
function fullGateway(): Hop {
  const extensions = { code: 'OVERLOADED', outcome: 'NOT_SENT', retryable: true };
  return (response) => {
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ message: 'Full', extensions }] }));
  };
}

it('gives up after four attempts, and shows the write to the next page, which sends it with its key', async () => {
  const { open, keys, requests, written } = await startBrowser(inTurn(...four(cut)));

  expect(await open().create('Why?')).toBe('unknown');
  expect(requests()).toBe(4);
  const next = open();
  expect(next.list()).toEqual([
    {
      key: keys[0],
      operation: 'createStudy',
      studyId: undefined,
      input: { description: 'Why?' },
      since: expect.any(Number),
      stored: true,
      next: 'sendAgain',
      isExpired: false,
      sendAgain: expect.any(Function),
      sendAsNew: expect.any(Function),
      forget: expect.any(Function),
    },
  ]);
  expect(next.list()).toBe(next.list());
  expect(await first(next.unsettledWrites).sendAgain?.()).toBeUndefined();

  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
  expect(next.list()).toEqual([]);
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

it('ends a wait between two attempts at an abort', async () => {
  const { open, requests } = await startBrowser(cut);
  vi.spyOn(Math, 'random').mockReturnValue(1000);
  const controller = new AbortController();
  const tab = open();
  const call = tab.create('Why?', { signal: controller.signal });
  await expect.poll(requests).toBe(1);

  controller.abort();

  expect(await call).toBe('unknown');
  expect(tab.descriptions()).toEqual(['Why?']);
});

it('keeps nothing of a write that was aborted before it was sent', async () => {
  const { open, storage, requests } = await startBrowser();

  await open().create('Why?', { signal: AbortSignal.abort() });

  expect(requests()).toBe(0);
  await expect.poll(() => Object.keys(storage)).toEqual([]);
});

it('asks for the headers before each attempt, and sends what a token allows', async () => {
  const { open, calls } = await startBrowser(inTurn(cut, cut, toPage(401)));
  const tokens = ['first', 'second', 'third', 'fourth'];
  const seen: unknown[] = [];
  const sender: typeof fetch = (url, init) => {
    seen.push(new Headers(init?.headers).get('authorization'));
    return fetch(url, init);
  };
  const tab = open({
    fetch: sender,
    headers: async () => ({ authorization: `Bearer ${tokens.shift()}` }),
  });

  await tab.create('Why?');
  await first(tab.unsettledWrites).sendAgain?.();

  expect(seen).toEqual(['Bearer first', 'Bearer second', 'Bearer third', 'Bearer fourth']);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('sends nothing, and keeps nothing, if the headers cannot be had', async () => {
  const { open, storage, requests } = await startBrowser();
  const tab = open({ headers: () => Promise.reject(new Error('Signed out.')) });

  await expect(tab.run(CreateStudyDocument, { input: {} })).rejects.toThrow('Signed out.');

  expect(requests()).toBe(0);
  await expect.poll(() => Object.keys(storage)).toEqual([]);
});

const overloaded = answer({ code: 'OVERLOADED', outcome: 'NOT_SENT', retryable: true });

it.for([
  ['NOT_SENT', overloaded],
  ['no token', answer({ code: 'UNAUTHENTICATED', outcome: 'REJECTED', retryable: false })],
  ['too many calls', answer({ code: 'RATE_LIMITED', outcome: 'REJECTED', retryable: true })],
  [
    'a used key',
    answer({ code: 'BAD_USER_INPUT', outcome: 'NOT_SENT', reason: 'IDEMPOTENCY_KEY_REUSED' }),
  ],
] as const)(
  'does not take %s for the outcome of a write whose answer was lost',
  async ([, refuse]) => {
    const { open, keys, written } = await startBrowser(inTurn(cut, refuse, refuse, refuse));
    const tab = open();

    expect(await tab.create('Why?')).toBe('unknown');
    expect(tab.descriptions()).toEqual(['Why?']);
    expect(await tab.create('Why?')).toBe('unknown');
    expect(await first(tab.unsettledWrites).sendAgain?.()).toMatchObject({
      outcome: 'UNKNOWN',
      retryable: false,
    });
    expect(await tab.create('Why?')).toBe('ok');

    expect(new Set(keys).size).toBe(1);
    expect(written()).toEqual(['Why?']);
    expect(tab.list()).toEqual([]);
  },
);

it.for([
  ['NOT_SENT', overloaded, 'notSent'],
  [
    'REJECTED',
    answer({ code: 'BAD_USER_INPUT', outcome: 'REJECTED', retryable: false }),
    'rejected',
  ],
  [
    'APPLIED',
    answer({ code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', retryable: false }),
    'applied',
  ],
] as const)('has no entry after %s', async ([, hop, kind]) => {
  const { open, storage } = await startBrowser(hop);

  expect(await open().create('Why?')).toBe(kind);

  await expect.poll(() => Object.keys(storage)).toEqual([]);
});

it('keeps the entry after UNKNOWN, which a look and a new key lead out of', async () => {
  const { open, keys, calls } = await startBrowser(pass, failOnce());
  const tab = open();

  expect(await tab.create('Why?')).toBe('unknown');
  expect(tab.list()).toMatchObject([{ next: 'look' }]);
  await first(tab.unsettledWrites).sendAgain?.();
  expect(calls).toHaveLength(1);
  expect(tab.list()).toMatchObject([{ next: 'look', key: keys[0] }]);
  await first(tab.unsettledWrites).sendAsNew?.();

  expect(calls).toHaveLength(2);
  expect(calls[1]?.body).toBe(calls[0]?.body);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(tab.list()).toEqual([]);
});

it('sends the write of the entry, whatever form is open, and keeps the input until it is sent', async () => {
  const { open, written } = await startBrowser(inTurn(...four(cut), overloaded));
  await open().create('The lost one');
  const next = open();

  await first(next.unsettledWrites).sendAsNew?.();
  expect(next.descriptions()).toEqual(['The lost one']);
  await first(next.unsettledWrites).sendAgain?.();

  expect(written()).toEqual(['The lost one', 'The lost one']);
  expect(next.list()).toEqual([]);
});

it('forgets a write, and makes a new one of the next', async () => {
  const { open, keys } = await startBrowser(inTurn(...four(cut)));
  const tab = open();
  await tab.create('Why?');

  first(tab.unsettledWrites).forget();

  expect(tab.list()).toEqual([]);
  await tab.create('Why?');
  expect(keys[4]).not.toBe(keys[0]);
});

it('lets only one of two tabs send a write as a new one', async () => {
  const { open, keys, written } = await startBrowser(inTurn(...four(cut)));
  const [one, two] = [open(), open()];
  await one.create('Why?');

  const calls = [first(one.unsettledWrites), first(two.unsettledWrites)].map(async (write) =>
    write.sendAsNew?.(),
  );

  expect(await Promise.all(calls)).toEqual([
    undefined,
    expect.objectContaining({ code: 'ABORTED' }),
  ]);
  expect(keys).toHaveLength(5);
  expect(written()).toEqual(['Why?', 'Why?']);
});

it('shows another user nothing, and never sends with the token of another user', async () => {
  const { open, keys, requests } = await startBrowser(inTurn(...four(cut), cut));
  let user = 'ada';
  const tab = open({ owner: () => user });
  await tab.create('Why?');

  user = 'ben';
  expect(tab.list()).toEqual([]);
  expect(await tab.create('Why?')).toBe('ok');
  expect(keys.at(-1)).not.toBe(keys[0]);
  user = 'ada';
  expect(tab.descriptions()).toEqual(['Why?']);

  const before = requests();
  const other = open({
    owner: () => user,
    headers: async () => {
      user = 'ben';
      return {};
    },
  });
  await expect(other.run(CreateStudyDocument, { input: {} })).rejects.toThrow('another user');
  expect(requests()).toBe(before);
});

it('keeps the entry of a lost write when the user changes before the next attempt', async () => {
  const { open, keys, written } = await startBrowser(inTurn(cut));
  let user = 'ada';
  let attempts = 0;
  const headers = () => {
    attempts += 1;
    if (attempts === 2) user = 'ben';
    return {};
  };
  await open({ owner: () => user, headers })
    .create('Why?')
    .catch(() => {});
  expect(user).toBe('ben');

  user = 'ada';
  const next = open({ owner: () => user });
  expect(await next.create('Why?')).toBe('ok');

  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
});

it('lists and shares nothing of another gateway', async () => {
  const { open, storage } = await startBrowser(cut);
  await open().create('Why?');
  const other = await startBrowser();

  const tab = other.open({ storage });
  expect(tab.list()).toEqual([]);
  expect(await tab.create('Why?')).toBe('ok');
});

it('writes x, y and x, though the first answers are lost', async () => {
  const { open, keys, written, storage } = await startBrowser(inTurn(...four(cut), ...four(cut)));
  const [one, two] = [open(), open()];

  expect(await one.edit('x')).toBe('unknown');
  const stale = first(one.unsettledWrites);
  expect(await two.edit('y')).toBe('unknown');
  expect(one.descriptions()).toEqual(['y']);
  expect(await stale.sendAgain?.()).toMatchObject({ code: 'ABORTED' });
  expect(await one.edit('x')).toBe('ok');

  expect(written()).toEqual(['x', 'y', 'x']);
  expect(new Set(keys).size).toBe(3);
  expect(two.list()).toEqual([]);
  await expect.poll(() => Object.keys(storage)).toEqual([]);
});

it('does not repeat an edit that a newer one has superseded meanwhile, in another tab', async () => {
  const { open, written, requests } = await startBrowser(inTurn(cut));
  vi.spyOn(Math, 'random').mockReturnValue(-0.6);
  const [one, two] = [open(), open()];
  const x = one.edit('x');
  await expect.poll(requests).toBe(1);

  expect(await two.edit('y')).toBe('ok');

  expect(await x).toBe('unknown');
  expect(written()).toEqual(['x', 'y']);
});

it('offers an older edit again when the newer one is refused', async () => {
  const refused = answer({ code: 'BAD_USER_INPUT', outcome: 'REJECTED', retryable: false });
  const { open, written } = await startBrowser(inTurn(...four(cut), refused));
  const tab = open();
  await tab.edit('x');

  expect(await tab.edit('y')).toBe('rejected');
  expect(tab.descriptions()).toEqual(['x']);
  await tab.edit('z');

  expect(tab.list()).toEqual([]);
  expect(written()).toEqual(['x', 'y', 'z']);
});

it('goes on with its key when the storage is cleared between two attempts', async () => {
  const { open, storage, keys, written } = await startBrowser(inTurn(...four(cut)));
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
  ['create', 1],
  ['edit', 1],
  ['create', 2],
  ['edit', 2],
] as const)(
  'settles both of two equal writes, of which one is cut while the other is answered: %s in %i tab(s)',
  async ([write, tabs]) => {
    let answerFirst: (() => void) | undefined;
    const hold: Hop = (response, text) => {
      answerFirst = () => pass(response, text);
    };
    const { open, keys, written, storage } = await startBrowser(inTurn(hold, cut));
    vi.spyOn(Math, 'random').mockReturnValue(-0.6);
    const one = open();
    const two = tabs === 1 ? one : open();
    const first = one[write]('Why?');
    await expect.poll(() => answerFirst).toBeDefined();
    const second = two[write]('Why?');
    await expect.poll(() => keys.length).toBe(2);
    answerFirst?.();

    expect(await Promise.all([first, second])).toEqual(['ok', 'ok']);
    expect(new Set(keys).size).toBe(1);
    expect(written()).toEqual(['Why?']);
    await expect.poll(() => Object.keys(storage)).toEqual([]);
  },
);

it('leaves unsettled writes of other studies alone, and supersedes by an edit with its own key', async () => {
  const { open } = await startBrowser(inTurn(...four(cut), ...four(cut)));
  const tab = open();
  await tab.create('new');
  await tab.edit('x');
  expect(tab.descriptions()).toEqual(['new', 'x']);
  const query =
    'mutation($id: UUID!) { editStudy(id: $id, input: {}, idempotencyKey: "ID") { id } }';

  await tab.post({
    query: query.replace('"ID"', `"${crypto.randomUUID()}"`),
    variables: { id: wholeStudy.id.toUpperCase() },
  });

  expect(tab.descriptions()).toEqual(['new']);
});

it('tells the other tab of what is unsettled, but not while it is being sent', async () => {
  let answerNow: (() => void) | undefined;
  const { open } = await startBrowser((response, text) => {
    answerNow = () => pass(response, text);
  });
  const [one, two] = [open(), open()];
  const changes = vi.fn<() => void>();
  onTestFinished(two.unsettledWrites.subscribe(changes));
  const call = one.create('Why?');
  await expect.poll(() => answerNow).toBeDefined();
  expect(two.list()).toEqual([]);
  expect(changes).toHaveBeenCalled();

  answerNow?.();
  await call;

  expect(two.list()).toEqual([]);
});

it('shows a write at once whose page closes before the answer', async () => {
  const { open, requests, window } = await startBrowser((response) => void response);
  void open().create('Why?');
  await expect.poll(requests).toBe(1);

  window.dispatchEvent(new Event('pagehide'));

  expect(open().descriptions()).toEqual(['Why?']);
});

it('keeps an input for 24 hours at most, and says so', async () => {
  const { open, storage, keys } = await startBrowser(inTurn(...four(cut)));
  await open().create('Why?');
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const tab = open();
  const changes = vi.fn<() => void>();
  onTestFinished(tab.unsettledWrites.subscribe(changes));

  vi.advanceTimersByTime(24 * 60 * 60 * 1000 + 1);

  expect(JSON.stringify(storage)).not.toContain('Why?');
  expect(changes).toHaveBeenCalled();
  vi.useRealTimers();
  vi.setSystemTime(Date.now() + 24 * 60 * 60 * 1000 + 1);
  expect(tab.list()).toEqual([
    expect.objectContaining({
      isExpired: true,
      input: undefined,
      sendAgain: undefined,
      sendAsNew: undefined,
    }),
  ]);
  await tab.create('Why?');
  expect(keys.at(-1)).not.toBe(keys[0]);
  first(tab.unsettledWrites).forget();
  await expect.poll(() => Object.keys(storage)).toEqual([]);
});
