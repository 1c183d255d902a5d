import { expect, it, onTestFinished, vi } from 'vitest';
import { IdempotencyKeys, newIdempotencyKey, type KeyStorage } from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { cut, pass, type Hop } from './hop.fixture.js';
import { createStorage, openHook, startPages } from './idempotent-hook.fixture.js';

const variables = { input: { description: 'Why do people leave?' } };
const other = { input: { description: 'When?' } };

/** What the form knows of its unsettled writes. */
const describe = (keys: IdempotencyKeys) =>
  keys.unsettled().map(({ next, isOf }) => ({ next, isOf: isOf(variables) }));

/** Fails once with 500, then answers with a study. */
function failOnce(): Respond {
  const answers = [answerJson({}, 500)];
  return (...args) => (answers.shift() ?? answerJson(wholeStudy))(...args);
}

/** The answer of somebody between browser and gateway, or of a gateway that lost its Redis. */
const answer =
  (extensions: object): Hop =>
  (response) =>
    pass(
      response,
      JSON.stringify({
        errors: [{ message: 'No', path: ['createStudy'], extensions }],
        data: { createStudy: null },
      }),
    );

it('leads out of UNKNOWN: a repeat changes nothing, and a look makes room for a new write', async () => {
  const keys = new IdempotencyKeys('form', createStorage());
  const { send, calls } = await openHook({ idempotent: keys }, [], failOnce());

  await send(variables);
  await send(variables);

  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(describe(keys)).toEqual([{ next: 'look', isOf: true }]);
  keys.unsettled()[0]?.forget();
  expect(await send(variables)).toBe(wholeStudy.id);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
  expect(describe(keys)).toEqual([]);
});

const refused = {
  message: '?',
  path: ['createStudy'],
  extensions: { code: 'X', outcome: 'UNKNOWN' },
};
const unknown = { data: { createStudy: null }, errors: [refused] };

it.for([
  ['a GraphQL response with errors', unknown],
  ['a response of graphql-request with errors', { ...unknown, status: 200, headers: {} }],
  ['the error of urql', { data: unknown.data, error: { graphQLErrors: [refused] } }],
  ['data without its errors', unknown.data],
  ['a response without its errors', { data: unknown.data }],
  ['no data', { data: undefined }],
] as const)('keeps the key when a library returns %s', async ([, result]) => {
  const keys = new IdempotencyKeys('form', createStorage());
  const sent: string[] = [];
  const send = (returned: unknown) =>
    keys.send(variables, async ({ idempotencyKey }) => {
      sent.push(idempotencyKey);
      return returned;
    });

  await send(result);
  await send({ data: { createStudy: wholeStudy } });
  await send({ createStudy: wholeStudy });

  expect(sent[1]).toBe(sent[0]);
  expect(sent[2]).not.toBe(sent[0]);
  expect(describe(keys)).toEqual([]);
});

it('sends the key of a closed page from the next page, which stores one study', async () => {
  const storage = createStorage();
  const { open, keys, calls } = await startPages([cut]);

  await open({ idempotent: new IdempotencyKeys('form', storage) }).send(variables);
  const next = new IdempotencyKeys('form', storage);
  expect(describe(next)).toEqual([{ next: 'resend', isOf: true }]);
  expect(await open({ idempotent: next }).send(variables)).toBe(wholeStudy.id);

  expect(keys[1]).toBe(keys[0]);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(Object.keys(storage)).toEqual([]);
});

it('keeps a write unsettled whose page ends before the answer', () => {
  const storage = createStorage();
  void new IdempotencyKeys('form', storage).send(variables, () => new Promise(() => {}));

  expect(describe(new IdempotencyKeys('form', storage))).toEqual([{ next: 'resend', isOf: true }]);
});

it.for([
  { refusal: 'NOT_SENT', extensions: { code: 'OVERLOADED', outcome: 'NOT_SENT' } },
  { refusal: 'no token', extensions: { code: 'UNAUTHENTICATED', outcome: 'REJECTED' } },
  { refusal: 'too many calls', extensions: { code: 'RATE_LIMITED', outcome: 'REJECTED' } },
])('does not take a repeat that ends with $refusal for the end of the write', async (row) => {
  const keys = new IdempotencyKeys('form', createStorage());
  const refuse = answer({ ...row.extensions, retryable: true, requestId: 'r' });
  const { send, keys: sent, calls } = await openHook({ idempotent: keys }, [cut, refuse]);

  await send(variables);
  await send(variables);
  expect(describe(keys)).toEqual([{ next: 'resend', isOf: true }]);
  await send(variables);

  expect(new Set(sent).size).toBe(1);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(describe(keys)).toEqual([]);
});

it('settles a write of which all tries were refused', async () => {
  const keys = new IdempotencyKeys('form', createStorage());
  const extensions = { code: 'OVERLOADED', outcome: 'NOT_SENT', retryable: true, requestId: 'r' };
  const refuse = answer(extensions);
  const { send } = await openHook({ idempotent: keys }, [refuse, refuse]);

  await Promise.all([send(variables), send(variables)]);

  expect(describe(keys)).toEqual([]);
});

it('offers a look where the gateway refuses the key', async () => {
  const keys = new IdempotencyKeys('form', createStorage());
  const reason = 'IDEMPOTENCY_KEY_REUSED';
  const refuse = answer({ code: 'BAD_USER_INPUT', outcome: 'NOT_SENT', reason, requestId: 'r' });
  const { send } = await openHook({ idempotent: keys }, [cut, refuse]);

  await send(variables);
  await send(variables);

  expect(describe(keys)).toEqual([{ next: 'look', isOf: true }]);
});

it('keeps neither the input nor a key for longer than 24 hours', async () => {
  const storage = createStorage() as KeyStorage & Record<string, string>;
  const keys = new IdempotencyKeys('form', storage);
  const { send, keys: sent } = await openHook({ idempotent: keys }, [cut, cut]);
  await send(variables);
  const [[name, text] = ['', '']] = Object.entries(storage);
  expect(name + text).not.toContain('leave');

  const { since } = JSON.parse(text) as { since: number };
  storage[name] = text.replace(String(since), String(since - 24 * 60 * 60 * 1000));

  expect(describe(keys)).toEqual([]);
  expect(Object.keys(storage)).toEqual([]);
  await send(variables);
  expect(sent[1]).not.toBe(sent[0]);
});

it('keeps the keys of forms and of inputs apart', async () => {
  const storage = createStorage();
  const { open, keys } = await startPages([cut, cut, cut]);

  await open({ idempotent: new IdempotencyKeys('one', storage) }).send(variables);
  await open({ idempotent: new IdempotencyKeys('two', storage) }).send(variables);
  await open({ idempotent: new IdempotencyKeys('one', storage) }).send(other);

  expect(new Set(keys).size).toBe(3);
  expect(describe(new IdempotencyKeys('two', storage))).toEqual([{ next: 'resend', isOf: true }]);
});

const refuse = () => {
  throw new Error('Storage is forbidden.');
};
const storages: Readonly<Record<string, KeyStorage>> = {
  'throws at every access': new Proxy(createStorage(), { get: refuse, ownKeys: refuse }),
  'is full': Object.assign(createStorage(), { setItem: refuse }),
  'holds what nobody can read': Object.assign(createStorage(), { getItem: () => '{"since":' }),
};

it.for(Object.keys(storages))('sends the write with a storage that %s', async (name) => {
  const keys = new IdempotencyKeys('form', storages[name]);
  const { send, keys: sent, calls } = await openHook({ idempotent: keys }, [cut]);

  await send(variables);
  const known = describe(keys);
  expect(await send(variables)).toBe(wholeStudy.id);

  expect(sent).toEqual([expect.any(String), expect.any(String)]);
  // A storage that lies costs the feature.
  if (name === 'holds what nobody can read') return;
  expect(known).toEqual([{ next: 'resend', isOf: true }]);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('makes keys by what the platform has, and names what is missing', () => {
  const { crypto } = globalThis;
  onTestFinished(() => void vi.unstubAllGlobals());
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  expect(newIdempotencyKey()).toMatch(uuid);

  const getRandomValues = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
  vi.stubGlobal('crypto', { getRandomValues });
  expect(newIdempotencyKey()).toMatch(uuid);
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey());

  vi.stubGlobal('crypto', undefined);
  expect(newIdempotencyKey).toThrow(
    'crypto.getRandomValues is missing: import react-native-get-random-values.',
  );
});
