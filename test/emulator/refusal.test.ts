import { describe, expect, it } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';

const nobody = '/studies/00000000-0000-0000-0000-000000000000';

const object = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
};

describe('bodies', () => {
  it.each([
    ['{"a', 3],
    ['{x', 1],
    ['nonsense', 0],
  ])('refuses the malformed JSON %s', async (body, offset) => {
    const { call } = await startTestEmulator();

    expect(await call('POST', '/studies', body)).toEqual({
      status: 422,
      body: {
        detail: [
          { type: 'json_invalid', loc: ['body', offset], msg: 'JSON decode error', input: {} },
        ],
      },
    });
  });

  it.each([
    ['[]', []],
    ['"text"', 'text'],
    ['null', null],
    ['1', 1],
  ])('refuses the body %s, which is not an object', async (body, input) => {
    const { call } = await startTestEmulator();

    expect(await call('POST', '/studies', body)).toEqual({
      status: 422,
      body: { detail: [{ ...object, loc: ['body'], input }] },
    });
  });

  it('refuses a request without a body', async () => {
    const { call } = await startTestEmulator();

    for (const body of [undefined, '']) {
      expect(await call('POST', '/studies', body)).toEqual({
        status: 422,
        body: { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
      });
    }
  });

  it.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', '{}'],
    ['nonsense', null],
  ])('refuses a body of type %s as not an object', async (type, input) => {
    const { call } = await startTestEmulator();

    expect(await call('POST', '/studies', '{}', { 'content-type': type })).toEqual({
      status: 422,
      body: { detail: [{ ...object, loc: ['body'], input }] },
    });
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json'])(
    'reads a body of type %s as JSON',
    async (type) => {
      const { call } = await startTestEmulator();

      expect((await call('POST', '/studies', '{}', { 'content-type': type })).status).toBe(200);
    },
  );

  it('accepts a body of 1 MiB and refuses a longer one with 413', async () => {
    const { call } = await startTestEmulator();
    const rest = '{"status":""}'.length;
    const ofSize = (bytes: number) => JSON.stringify({ status: 'x'.repeat(bytes - rest) });

    expect((await call('POST', '/studies', ofSize(1024 * 1024))).status).toBe(200);
    expect(await call('POST', '/studies', ofSize(1024 * 1024 + 1))).toEqual({
      status: 413,
      body: { detail: 'Request body too large' },
    });
  });
});

describe('authentication', () => {
  it.each(['', 'Bearer', 'Basic ZGVtbzp0b2tlbg==', 'Bearer two words', 'demo-token'])(
    'answers 401 "Not authenticated" to the header %j',
    async (authorization) => {
      const { send } = await startTestEmulator();

      const response = await send('GET', nobody, undefined, { authorization });

      expect({
        status: response.status,
        body: await response.json(),
        challenge: response.headers.get('www-authenticate'),
      }).toEqual({
        status: 401,
        body: { detail: 'Not authenticated' },
        challenge: 'Bearer',
      });
    },
  );

  it('answers 401 without the header, on every operation', async () => {
    const { url } = await startTestEmulator();

    for (const [method, path] of [
      ['POST', '/studies'],
      ['PATCH', nobody],
      ['GET', nobody],
    ] as const) {
      const response = await fetch(url + path, { method });
      expect([response.status, await response.json()]).toEqual([
        401,
        { detail: 'Not authenticated' },
      ]);
    }
  });

  it('answers an unknown token with 401 and a valid token, before it reads the body', async () => {
    const { send, token } = await startTestEmulator();

    const response = await send('POST', '/studies', '{', {
      authorization: 'Bearer unknown',
    });

    expect({
      status: response.status,
      body: await response.json(),
      challenge: response.headers.get('www-authenticate'),
    }).toEqual({
      status: 401,
      body: { detail: `Invalid token: use ${token}` },
      challenge: 'Bearer',
    });
  });

  it('accepts the scheme in upper or lower case', async () => {
    const { call } = await startTestEmulator();

    expect(
      (await call('POST', '/studies', {}, { authorization: 'bearer demo-token' })).status,
    ).toBe(200);
  });
});

describe('paths', () => {
  it.each([
    ['GET', '/'],
    ['POST', '/'],
    ['GET', `${nobody}/interviews`],
  ])('answers 404 to %s %s', async (method, path) => {
    const { call } = await startTestEmulator();

    const body = method === 'POST' ? '{' : undefined;
    expect(await call(method, path, body)).toEqual({
      status: 404,
      body: { detail: 'Not Found' },
    });
  });

  it.each([
    ['PUT', '/studies', 'GET, POST'],
    ['DELETE', nobody, 'GET, PATCH'],
    ['PUT', nobody, 'GET, PATCH'],
    ['OPTIONS', nobody, 'GET, PATCH'],
    ['POST', '/openapi.json', 'GET'],
  ])('answers 405 to %s %s and allows %s', async (method, path, allow) => {
    const { url } = await startTestEmulator();

    const response = await fetch(url + path, { method });

    expect({
      status: response.status,
      allow: response.headers.get('allow'),
      body: await response.json(),
    }).toEqual({ status: 405, allow, body: { detail: 'Method Not Allowed' } });
  });

  it.each([
    [nobody, 'GET, PATCH'],
    ['/openapi.json', 'GET'],
  ])('answers 405 to HEAD %s, without a body', async (path, allow) => {
    const { url } = await startTestEmulator();

    const response = await fetch(url + path, { method: 'HEAD' });

    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
      405,
      allow,
      '',
    ]);
  });

  it('answers 400 to a path that cannot be decoded', async () => {
    const { call } = await startTestEmulator();

    expect(await call('GET', '/studies/%zz')).toEqual({
      status: 400,
      body: { detail: 'There was an error parsing the URL' },
    });
  });
});
