import { assumed } from 'study-gateway-contract';
import { describe, expect, it, vi } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { startTestGateway } from '../support/gateway.js';
import {
  createStudy,
  editStudy,
  newKey,
  toExtensions,
  toMessageAndExtensions,
  toRunKeyed,
  useStores,
  writes,
} from '../support/keyed.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';

vi.setConfig({ testTimeout: 20_000 });

const renewed = { authorization: 'Bearer renewed-token' };
const ofOther = {
  message:
    'The idempotency key was used with another token, whose result this token cannot read. ' +
    'Whether the change was made is not known: check before repeating it.',
  code: 'UPSTREAM_TIMEOUT',
  reason: 'IDEMPOTENCY_KEY_OTHER_TOKEN',
  outcome: 'UNKNOWN',
  retryable: false,
};

/** Starts a Study API that answers writes as `write` does, and shows studies to the tokens in `readers`. */
async function startApi(write: Respond, ...readers: string[]) {
  const api = await startStudyApi((response, call, request) => {
    if (call.method !== 'GET') return write(response, call, request);
    const isReader = readers.some((token) => call.headers.authorization === `Bearer ${token}`);
    return (isReader ? answerJson(wholeStudy) : answerJson({}, 404))(response, call, request);
  });
  return {
    url: api.url,
    toCalls: () => api.calls.map(({ method, headers }) => `${method} ${headers.authorization}`),
  };
}

describe.each(useStores())('with the keys in $store', ({ startPlaces }) => {
  it.each(writes)(
    'gives the kept study of $field to a renewed token that can read it, after one GET',
    async (operation) => {
      const api = await startApi(answerJson(wholeStudy), 'renewed-token');
      const { here, there } = await startPlaces({ studyApiUrl: api.url });
      const key = newKey();

      const original = await here(operation, key);
      const repeat = await there(operation, key, renewed);
      const own = await there(operation, key);

      expect([repeat, own]).toEqual([original, original]);
      expect(api.toCalls()).toEqual([
        `${operation.request.split(' ')[0]} Bearer test-token`,
        'GET Bearer renewed-token',
      ]);
    },
  );

  it('gives APPLIED with its id to a renewed token that can read the study', async () => {
    const cut: Respond = (response) => {
      const { id } = wholeStudy;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write(`{"id":"${id}","title":"`, () => response.destroy());
    };
    const api = await startApi(cut, 'renewed-token');
    const { here, there } = await startPlaces({ studyApiUrl: api.url });
    const key = newKey();

    const original = await here(createStudy, key);
    const repeat = await there(createStudy, key, renewed);

    expect(toExtensions(original)).toMatchObject({ outcome: 'APPLIED', studyId: wholeStudy.id });
    expect(repeat).toEqual(original);
  });

  it.each<[what: string, write: Respond, gets: string[]]>([
    ['the study, and cannot read it', answerJson(wholeStudy), ['GET Bearer renewed-token']],
    ['a rejection', answerJson({ detail: 'a reason for the first caller alone' }, 422), []],
    ['UNKNOWN', answerJson({}, 500), []],
  ])(
    'reports UNKNOWN, and sends nothing again, to another token where the first call got %s',
    async (_, write, gets) => {
      const api = await startApi(write);
      const { here, there } = await startPlaces({ studyApiUrl: api.url });
      const key = newKey();

      const original = await here(createStudy, key);
      const repeat = await there(createStudy, key, renewed);

      expect(toMessageAndExtensions(repeat)).toEqual(ofOther);
      expect(await there(createStudy, key)).toEqual(original);
      expect(api.toCalls()).toEqual(['POST Bearer test-token', ...gets]);
    },
  );

  it('does not share the result of a call under way with another token', async () => {
    const api = await startHoldingApi();
    const { here, there } = await startPlaces({ studyApiUrl: api.url });
    const key = newKey();

    const original = here(createStudy, key);
    await api.holds(1);
    const repeat = there(createStudy, key, renewed);
    api.answerNext();
    await original;
    // The GET of the renewed token.
    await api.holds(1);
    api.answerNext();

    expect(await repeat).toEqual(await original);
    expect(api.arrived).toEqual(['POST /studies', `GET /studies/${wholeStudy.id}`]);
  });

  it('makes the call of another token when the first call has freed the key', async () => {
    const api = await startApi(answerJson({}, 401));
    const { here, there } = await startPlaces({ studyApiUrl: api.url });
    const key = newKey();

    await here(createStudy, key);
    await there(createStudy, key, renewed);

    expect(api.toCalls()).toEqual(['POST Bearer test-token', 'POST Bearer renewed-token']);
  });
});

it('never sends a write on with another token, even if the Study API honours keys', async () => {
  const contract = { ...assumed, keys: { header: 'X-Once' } };
  const api = await startApi(answerJson({}, 500), 'renewed-token');
  const run = toRunKeyed(await startTestGateway({ studyApiUrl: api.url, contract }));
  const key = newKey();

  await run(createStudy, key);
  const repeat = await run(createStudy, key, renewed);

  expect(toMessageAndExtensions(repeat)).toEqual(ofOther);
  expect(api.toCalls()).toEqual(['POST Bearer test-token']);
});

it.each(['order-1', newKey().slice(1), `${newKey()}0`, 'x'.repeat(36)])(
  'refuses the key %j with the token of the caller, because it is no UUID',
  async (key) => {
    const gateway = await startTestGateway();

    const told = await toRunKeyed(gateway)(editStudy, key);

    expect(toMessageAndExtensions(told)).toEqual({
      message: 'An idempotency key must be a UUID, which nobody else can guess. Nothing was sent.',
      code: 'BAD_USER_INPUT',
      outcome: 'NOT_SENT',
      retryable: false,
    });
    expect(gateway.calls).toEqual([]);
  },
);
