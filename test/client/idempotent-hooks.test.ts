import { expect, it } from 'vitest';
import { IdempotencyKeys, newIdempotencyKey } from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { cut } from './hop.fixture.js';
import { openHook } from './idempotent-hook.fixture.js';

const first = { input: { description: 'Why?', progress: { total: 1, failed: 0 } } };
/** Equal to `first`, in another order. */
const again = { input: { progress: { failed: 0, total: 1 }, description: 'Why?' } };
const other = { input: { description: 'When?' } };

it('sends the same key for the same variables after a lost answer, which stores one study', async () => {
  const { send, keys, calls } = await openHook({ idempotent: true }, [cut]);

  expect(await send(first)).toBeUndefined();
  expect(await send(again)).toBe(wholeStudy.id);

  expect(keys).toEqual([
    expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    keys[0],
  ]);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it.for([
  { answer: 'a study', api: answerJson(wholeStudy) },
  { answer: 'REJECTED', api: answerJson({ detail: 'No.' }, 422) },
  { answer: 'APPLIED', api: answerJson({ ...wholeStudy, files: null }) },
])('sends a new key for the same variables after $answer', async ({ api }) => {
  const { send, keys, calls } = await openHook({ idempotent: true }, [], api);

  await send(first);
  await send(first);

  expect(new Set(keys).size).toBe(2);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

it('keeps a key beside that of other variables', async () => {
  const { send, keys } = await openHook({ idempotent: true }, [cut, cut]);

  await send(first);
  await send(other);
  await send(first);

  expect(keys[2]).toBe(keys[0]);
  expect(keys[1]).not.toBe(keys[0]);
});

it('stores one study of a double click', async () => {
  const { send, keys, calls } = await openHook({ idempotent: true });

  const ids = await Promise.all([send(first), send(first)]);

  expect(ids).toEqual([wholeStudy.id, wholeStudy.id]);
  expect(keys[1]).toBe(keys[0]);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('keeps the key over a reset, and sends a new one when the write is forgotten', async () => {
  const idempotent = new IdempotencyKeys('form');
  const { send, reset, keys, calls } = await openHook({ idempotent }, [cut, cut]);

  await send(first);
  reset();
  await send(first);
  for (const write of idempotent.unsettled()) write.forget();
  await send(first);

  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

it('sends a key that it is given, and none where it is not asked to', async () => {
  const idempotencyKey = newIdempotencyKey();
  const own = await openHook({ idempotent: true });
  const without = await openHook({});

  await own.send({ ...first, idempotencyKey });
  await without.send(first);

  expect([...own.keys, ...without.keys]).toEqual([idempotencyKey, undefined]);
});
