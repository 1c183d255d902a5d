import { expect, it } from 'vitest';
import { createClient, type Keys, type Write } from 'rest-outcome';
import { answerBytes, startRefusingUrl } from '../support/faults.js';
import { startStudyApi } from '../support/study-api.js';

const write: Write = {
  method: 'POST',
  path: '/orders',
  template: '/orders',
  body: '{}',
  entity: { readId: ({ id }) => (typeof id === 'string' ? id : undefined) },
  key: 'order-1',
};

type Send = Keys<object>['send'];

/** Begins an operation over sockets, whose keys send a write as `send` does. */
function begin(baseUrl: string, send: Send = ({ send: sendNow }) => sendNow()) {
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
  return { client, operation: client.openLedger({}) };
}

/** Sends each write twice, as a careless retry would. */
const twice: Send = ({ send }) => send().then(send, send);

it.each([
  ['an answer', '{"id":"a"}', 200, { outcome: 'APPLIED', id: 'a' }],
  ['a refusal', '{}', 422, { outcome: 'REJECTED', id: undefined }],
  ['a lost verdict', '{}', 500, { outcome: 'UNKNOWN', id: undefined }],
])('no level sends a write again after %s', async (_, body, status, truth) => {
  const api = await startStudyApi(answerBytes(body, {}, status));
  const { client, operation } = begin(api.url, twice);

  await expect(operation.beginStep('order', true).write(write)).rejects.toThrow(
    'must not be sent again',
  );
  await client.close();

  expect(operation.outcomeOf('order')).toMatchObject(truth);
  expect(api.calls).toHaveLength(1);
});

it('a write that is proved not sent may be sent again', async () => {
  const { client, operation } = begin(await startRefusingUrl(), twice);

  await expect(operation.beginStep('order', true).write(write)).rejects.toThrow(
    'no connection to the API',
  );
  await client.close();

  expect(operation.outcomeOf('order')).toMatchObject({ outcome: 'NOT_SENT' });
});

it('what a level throws does not change what an attempt has proved', async () => {
  const api = await startStudyApi(answerBytes('{"id":"a"}'));
  const { client, operation } = begin(api.url, ({ send }) =>
    send().then(() => Promise.reject(new Error('a defect'))),
  );

  await expect(operation.beginStep('order', true).write(write)).rejects.toThrow('a defect');
  await client.close();

  expect(operation.outcomeOf('order')).toMatchObject({ outcome: 'APPLIED', id: 'a' });
});

it.each(['PATCH', 'PUT', 'DELETE'])(
  'a %s says how the id of its thing is recognized, or an answer with another id would be believed',
  async (method) => {
    const api = await startStudyApi(answerBytes('{"id":"b"}'));
    const { client, operation } = begin(api.url);
    const isAskedFor = (id: string): boolean => id === 'a';
    const known = { ...write, method, entity: { ...write.entity!, isAskedFor } };

    await expect(operation.beginStep('order', true).write({ ...write, method })).rejects.toThrow(
      'isAskedFor is missing',
    );
    await expect(operation.beginStep('order', true).write(known)).rejects.toMatchObject({
      outcome: 'UNKNOWN',
    });
    await client.close();

    expect(api.calls).toHaveLength(1);
  },
);

it('a root field that may have written sends no second write, and another root field does', async () => {
  const api = await startStudyApi(answerBytes('{"id":"a"}'));
  const { client, operation } = begin(api.url);

  await operation.beginStep('first', true).write(write);

  await expect(operation.beginStep('first', true).write(write)).rejects.toThrow(
    'must not send another one',
  );
  await operation.beginStep('second', true).write(write);
  await client.close();
  expect(operation.outcomeOf('third')).toEqual({
    outcome: 'NOT_SENT',
    id: undefined,
    isRepeatable: false,
  });
  expect(api.calls).toHaveLength(2);
});

it('a step writes only while it runs, only if it may, and once', async () => {
  const api = await startStudyApi(answerBytes('{"id":"a"}'));
  const { client, operation } = begin(api.url);
  const reading = operation.beginStep('look', false);
  await expect(reading.write(write)).rejects.toThrow('only reads');
  const earlier = operation.beginStep('order', true);
  const later = operation.beginStep('order again', true);

  await expect(earlier.write(write)).rejects.toThrow('the step has ended');
  await later.write(write);
  operation.end();
  await expect(operation.beginStep('tip', true).write(write)).rejects.toThrow('the step has ended');
  await client.close();

  expect(api.calls).toHaveLength(1);
  expect(operation.outcomeOf('order')).toMatchObject({ outcome: 'NOT_SENT' });
  expect(operation.outcomeOf()).toMatchObject({ outcome: 'APPLIED' });
});
