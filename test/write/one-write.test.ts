import { expect, it } from 'vitest';
import { createClient, type Keys, type RestCall, type WriteCall } from 'rest-outcome';
import { answerBytes, startRefusingUrl } from '../support/faults.js';
import { startStudyApi } from '../support/study-api.js';

const write: WriteCall = {
  method: 'POST',
  path: '/orders',
  template: '/orders',
  body: '{}',
  entity: { readId: ({ id }) => (typeof id === 'string' ? id : undefined) },
  key: 'order-1',
};

type Send = Keys<object>['send'];

/** Begins an operation over sockets, whose keys send a write as `send` does. */
function begin(baseUrl: string, send: Send = ({ call, send: sendNow }) => sendNow(call)) {
  const options = {
    baseUrl: new URL(baseUrl),
    deadlineMs: 5_000,
    connectTimeoutMs: 1_000,
    maxAnswerBytes: 10_000,
    maxCalls: 4,
    maxQueue: 4,
    circuitOpenMs: 1_000,
    keys: { send, close: async () => {} },
  };
  const client = createClient(options);
  return { client, operation: client.begin({}) };
}

/** Sends each write twice, as a careless retry would. */
const twice: Send = ({ call, send }) =>
  send(call).then(
    () => send(call),
    () => send(call),
  );

it.each([
  ['an answer', '{"id":"a"}', 200, { outcome: 'APPLIED', id: 'a' }],
  ['a refusal', '{}', 422, { outcome: 'REJECTED', id: undefined }],
  ['a lost verdict', '{}', 500, { outcome: 'UNKNOWN', id: undefined }],
])('no level sends a write again after %s', async (_, body, status, truth) => {
  const api = await startStudyApi(answerBytes(body, {}, status));
  const { client, operation } = begin(api.url, twice);

  await expect(operation.begin('order', true).write(write)).rejects.toThrow(
    'must not be sent again',
  );
  await client.close();

  expect(operation.toTruth('order')).toMatchObject(truth);
  expect(api.calls).toHaveLength(1);
});

it('a write that is proved not sent may be sent again', async () => {
  const { client, operation } = begin(await startRefusingUrl(), twice);

  await expect(operation.begin('order', true).write(write)).rejects.toThrow(
    'no connection to the API',
  );
  await client.close();

  expect(operation.toTruth('order')).toMatchObject({ outcome: 'NOT_SENT' });
});

it('what a level throws does not change what an attempt has proved', async () => {
  const api = await startStudyApi(answerBytes('{"id":"a"}'));
  const { client, operation } = begin(api.url, ({ call, send }) =>
    send(call).then(() => Promise.reject(new Error('a defect'))),
  );

  await expect(operation.begin('order', true).write(write)).rejects.toThrow('a defect');
  await client.close();

  expect(operation.toTruth('order')).toMatchObject({ outcome: 'APPLIED', id: 'a' });
});

it('no level sends a call that no operation has begun', async () => {
  const api = await startStudyApi(answerBytes('{"id":"a"}'));
  const entry = { outcome: 'UNKNOWN', attempts: [] } as const;
  const call: RestCall = { ...write, noun: 'thing', headers: {}, entry };
  const { client, operation } = begin(api.url, ({ send }) => send(call));

  await expect(operation.begin('order', true).write(write)).rejects.toThrow(
    'only an operation can send a call',
  );
  await client.close();

  expect(api.calls).toEqual([]);
});

it('a request has no second operation, whose writes the ledger of the first would lack', async () => {
  const { client, operation } = begin(await startRefusingUrl());

  expect(() => client.begin(operation.about)).toThrow('one operation');
  await client.close();
});

it('a write to a known thing says how its id is recognized', () => {
  const isAskedFor = (id: string): boolean => id === 'a';
  const { entity } = write;
  const known = [
    { ...write, method: 'PATCH', entity: { ...entity, isAskedFor } },
    // @ts-expect-error: an answer with another id would count as `APPLIED`
    { ...write, method: 'PATCH' },
    // @ts-expect-error
    { ...write, method: 'PUT' },
    // @ts-expect-error
    { ...write, method: 'DELETE' },
  ] satisfies WriteCall[];

  expect(known).toHaveLength(4);
});

it('a root field that may have written sends no second write, and another root field does', async () => {
  const api = await startStudyApi(answerBytes('{"id":"a"}'));
  const { client, operation } = begin(api.url);

  await operation.begin('first', true).write(write);

  await expect(operation.begin('first', true).write(write)).rejects.toThrow(
    'must not send another one',
  );
  await operation.begin('second', true).write(write);
  await client.close();
  expect(operation.toTruth('third')).toEqual({
    outcome: 'NOT_SENT',
    id: undefined,
    isRepeatable: false,
  });
  expect(api.calls).toHaveLength(2);
});
