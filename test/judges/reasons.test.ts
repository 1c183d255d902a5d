import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { id, newToken, toBearer, toWrite, useFastApi, type Lie } from './judge.fixture.js';

const json = { 'content-type': 'application/json' };
const problem = { 'content-type': 'application/problem+json' };
const statuses = [400, 404, 409, 413, 422];
const codes = ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'BAD_USER_INPUT', 'BAD_USER_INPUT'];

interface Reason {
  readonly upstreamMessage?: unknown;
  readonly fieldErrors?: readonly { readonly path: unknown; readonly message: unknown }[];
}

function toReason({ errors }: ExecutionResult): Reason {
  return errors?.[0]?.extensions ?? {};
}

/** Returns the extensions of the errors, one for each of `statuses`, if `reason` is all that is told of the reason. */
function toRefusals(reason: Reason): object[] {
  return statuses.map((upstreamStatus, index) => ({
    code: codes[index],
    outcome: 'REJECTED',
    retryable: false,
    requestId: expect.any(String),
    upstreamStatus,
    ...reason,
  }));
}

/** Returns all that a client is told of the reason. */
function toTexts({ upstreamMessage, fieldErrors = [] }: Reason): string[] {
  const messages = fieldErrors.map(({ message }) => message);
  return [upstreamMessage, ...messages].filter((text) => typeof text === 'string');
}

describe('the reason of a refusal', { tags: ['fastapi'] }, () => {
  const api = useFastApi();

  /** Starts a gateway. Returns a function that runs an operation whose call the Study API answers with a lie. */
  async function startJudge() {
    const { graphql } = await startTestGateway({ studyApiUrl: api.url });
    return async (lie: Lie, document = toWrite('createStudy', 'id'), token = newToken()) => {
      await api.tell({ [token]: { headers: json, ...lie } });
      return graphql(document, {}, toBearer(token));
    };
  }

  it.each<[string, Record<string, string>, object, string]>([
    ['title and detail', problem, { title: 'Over quota', detail: '10 of 10.' }, '10 of 10.'],
    ['title', problem, { type: 'about:blank', title: 'Over quota', status: 422 }, 'Over quota'],
    ['message', json, { message: '10 of 10.' }, '10 of 10.'],
    ['message, of no type', {}, { message: '10 of 10.' }, '10 of 10.'],
    ['error', json, { error: '10 of 10.' }, '10 of 10.'],
    ['error.message', json, { error: { code: 7, message: '10 of 10.' } }, '10 of 10.'],
    ['detail', json, { detail: '10 of 10.' }, '10 of 10.'],
  ])('arrives as upstreamMessage: %s', async (_, headers, body, reason) => {
    const ask = await startJudge();

    const told = await Promise.all(
      statuses.map((status) => ask({ status, headers, body: JSON.stringify(body) })),
    );

    expect(told.map(({ errors }) => errors?.[0]?.extensions)).toEqual(
      toRefusals({ upstreamMessage: expect.stringContaining(reason) }),
    );
  });

  // Whether a text names a field is for the gateway to decide; that the text arrives is not.
  it.each<[string, object]>([
    ['a list of messages', { message: ['10 of 10.', 'Ask again.'] }],
    ['NestJS', { statusCode: 400, message: ['10 of 10.'], error: 'Bad Request' }],
    ['errors that are texts', { errors: ['10 of 10.', 'Ask again.'] }],
    ['errors with messages', { errors: [{ message: '10 of 10.' }] }],
    ['errors with details', { errors: [{ detail: '10 of 10.' }] }],
    ['errors of fields', { errors: [{ field: 'projectId', message: '10 of 10.' }] }],
    ['problem with errors', { title: 'Invalid', errors: [{ detail: '10 of 10.', pointer: '#' }] }],
    ['errors after what has no reason', { errors: [null, 7, {}, { message: '10 of 10.' }] }],
  ])('arrives: %s', async (_, body) => {
    const ask = await startJudge();

    const told = await Promise.all(
      statuses.map((status) => ask({ status, body: JSON.stringify(body) })),
    );

    expect(told.map((one) => toTexts(toReason(one)).join())).toEqual(
      statuses.map(() => expect.stringContaining('10 of 10.')),
    );
  });

  it.each<[string, object, string[]]>([
    ['loc', { detail: [{ loc: ['body', 'projectId'], msg: 'No project.' }] }, ['projectId']],
    ['a pointer', { errors: [{ detail: 'No project.', pointer: '#/projectId' }] }, ['projectId']],
    [
      'a deep pointer',
      { errors: [{ detail: 'No project.', pointer: '#/progress/total' }] },
      ['progress', 'total'],
    ],
  ])('arrives as fieldErrors, where a field is named by %s', async (_, body, path) => {
    const ask = await startJudge();

    const told = await Promise.all(
      [400, 422].map((status) => ask({ status, headers: problem, body: JSON.stringify(body) })),
    );

    const fieldErrors = [{ path: ['input', ...path], message: 'No project.' }];
    expect(told.map((one) => toReason(one).fieldErrors)).toEqual([fieldErrors, fieldErrors]);
  });

  it('arrives from the validation of FastAPI', async () => {
    const { graphql } = await startTestGateway({ studyApiUrl: api.url });

    const told = await graphql('mutation { createStudy(input: { interviewCount: -1 }) { id } }');

    expect(toReason(told).fieldErrors).toEqual([
      { path: ['input', 'interviewCount'], message: expect.stringContaining('greater than') },
    ]);
  });

  it.each([
    ['editStudy', toWrite('editStudy', 'id'), [400, 404, 409, 413, 422]],
    ['study', `{ study(id: "${id}") { id } }`, [400, 409, 413, 422]],
    ['studies', '{ studies { total } }', [400, 404, 409, 413, 422]],
  ])('arrives for %s', async (_, document, some) => {
    const ask = await startJudge();

    const told = await Promise.all(
      some.map((status) => ask({ status, body: '{"message":"10 of 10."}' }, document)),
    );

    expect(told.map((one) => toReason(one).upstreamMessage)).toEqual(some.map(() => '10 of 10.'));
  });

  it.each<[string, Lie]>([
    ['a number', { body: '{"message":7,"detail":7,"error":7,"errors":7,"title":7}' }],
    ['null', { body: '{"message":null,"detail":null,"error":null,"errors":null}' }],
    ['empty', { body: '{"message":"","detail":[],"error":{},"errors":[],"title":" "}' }],
    ['deep', { body: '{"message":{"message":{"message":"x"}},"errors":[[["x"]]]}' }],
    ['cut', { body: '{"message":"x' }],
    ['the prototype', { body: '{"__proto__":{"message":"x"}}' }],
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<h1>Quota &lt;b&gt;</h1>' }],
  ])('is not invented: %s', async (_, lie) => {
    const ask = await startJudge();

    const told = await Promise.all(statuses.map((status) => ask({ ...lie, status })));

    expect(told.map(({ errors }) => errors?.[0]?.extensions)).toEqual(toRefusals({}));
  });

  const half = (token: string): [string, string] => [token.slice(0, 20), token.slice(20)];
  const hostile: [string, (token: string) => string][] = [
    ['long', () => `quota ${'x'.repeat(5_000)}`],
    ['long, with pairs of surrogates', () => `quota${'😀'.repeat(500)}`],
    ['with half a surrogate pair', () => 'quota \ud83d'],
    ['HTML', () => 'quota <b>of</b> <img src=x onerror="alert(1)"> 10'],
    ['HTML without an end', () => 'quota <img src=x onerror=alert(1)'],
    ['HTML in HTML', () => 'quota <<b>script>alert(1)<</b>/script>'],
    ['HTML with control characters', () => 'quota <\u0000b>of<\u0007/b> <\n!--'],
    ['with control characters', () => 'quota\r\nof\t10\u0000\u001b[31m\u007f\u0085'],
    ['with the token', (token) => `quota of ${token} is 10`],
    ['with the header', (token) => `quota of Bearer ${token}`],
    ['with the token at the end of what fits', (token) => `quota ${'x'.repeat(170)}${token}`],
    ['with control characters in the token', (token) => `quota ${half(token).join('\u0000')}`],
    ['with HTML in the token', (token) => `quota ${half(token).join('<b></b>')}`],
  ];
  const forms: [string, (text: string) => object][] = [
    ['message', (message) => ({ message })],
    ['error.message', (message) => ({ error: { message } })],
    ['problem', (detail) => ({ title: detail, detail })],
    ['loc', (msg) => ({ detail: [{ loc: ['body', 'projectId'], msg }] })],
    ['pointer', (detail) => ({ errors: [{ detail, pointer: '#/projectId' }] })],
  ];

  it.each(hostile)(
    'is plain text of at most 200 characters without the token: %s',
    async (_, toText) => {
      const ask = await startJudge();
      const prefix = newToken();
      const told = await Promise.all(
        forms.map(([form, toBody]) => {
          const token = `${prefix}-${form}`;
          return ask(
            { status: 422, body: JSON.stringify(toBody(toText(token))) },
            undefined,
            token,
          );
        }),
      );

      const texts = told
        .map((one) => toTexts(toReason(one)))
        .map((some) => some.filter((text) => text !== 'The Study API refused this value.'));
      // A text with HTML or with the token may be left out whole.
      const holdsToken = toText('a'.repeat(40)) !== toText('b'.repeat(40));
      const mayBeLeftOut = toText('').includes('<') || holdsToken;
      expect(texts.every((some) => some.length > 0) || mayBeLeftOut).toBe(true);
      for (const text of texts.flat()) {
        expect(text).toContain('quota');
        expect(text).not.toMatch(/<[a-z!/?]|\p{Cc}/iu);
        expect(Array.from(text).length).toBeLessThanOrEqual(200);
        expect(text.isWellFormed()).toBe(true);
      }
      // Where the token was whole, no part of the token may be left.
      const part = toText(prefix).includes(prefix) ? prefix.slice(0, 12) : prefix;
      expect(JSON.stringify(told)).not.toContain(part);
    },
  );

  it.each<[string, (token: string) => object]>([
    ['loc', (token) => ({ detail: [{ loc: ['body', token], msg: 'No.' }] })],
    ['a pointer', (token) => ({ errors: [{ detail: 'No.', pointer: `#/${token}` }] })],
    ['a field', (token) => ({ errors: [{ field: token, message: 'No.' }] })],
  ])('never names the token as a field: %s', async (_, toBody) => {
    const ask = await startJudge();
    const token = newToken();

    const body = JSON.stringify(toBody(token));
    const told = await ask({ status: 422, body }, undefined, token);

    expect(JSON.stringify(told)).not.toContain(token.slice(0, 12));
  });

  it.each([500, 501, 502, 503, 504, 599])('is nothing of a %s', async (status) => {
    const ask = await startJudge();

    const told = await Promise.all(
      forms.map(([, toBody]) => ask({ status, body: JSON.stringify(toBody('secret')) })),
    );

    expect(told.map(toReason)).toEqual(
      forms.map(() => ({
        code: 'UPSTREAM_ERROR',
        outcome: 'UNKNOWN',
        retryable: false,
        requestId: expect.any(String),
        upstreamStatus: status,
      })),
    );
    expect(JSON.stringify(told)).not.toContain('secret');
  });
});
