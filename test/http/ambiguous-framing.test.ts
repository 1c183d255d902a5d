import { describe, expect, it } from 'vitest';
import {
  connectTo,
  exchange,
  json,
  readToEnd,
  toAnswers,
  toPost,
  toRequest,
} from '../support/raw-http.js';
import { startTestGateway } from '../support/gateway.js';

const authorization = 'authorization: Bearer test-token';
const body = JSON.stringify({ query: 'mutation { createStudy(input: {}) { status } }' });
const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const length = `content-length: ${body.length}`;
const chunked = 'transfer-encoding: chunked';

/** Returns a `POST /graphql` that is well-formed except for the additional header `lines` and the body `rest`. */
function toMutation(lines: readonly string[], rest = body): string {
  return toRequest('POST /graphql', [json, authorization, ...lines], rest);
}

/** Returns a well-formed `POST /graphql` except for the value of `Host`. */
function toHost(value: string): string {
  return toMutation([length]).replace('host: gateway', `host: ${value}`);
}

/** Returns the request with a target in absolute form. */
function toAbsolute(request: string): string {
  return request.replace('POST ', 'POST http://gateway');
}

describe('a request that two HTTP parsers could read differently', () => {
  it.each([
    // Refused by Node's parser.
    ['a length and chunks', toMutation([length, chunked], chunk)],
    ['two lengths', toMutation([length, 'content-length: 5'])],
    ['a length that no number holds', toMutation(['content-length: 99999999999999999999'])],
    ['a coding after chunked', toMutation(['transfer-encoding: chunked, identity'], chunk)],
    ['bare LF everywhere', toMutation([length]).replaceAll('\r\n', '\n')],
    ['bare CR after a header', toMutation([`x: a\r${length}`])],
    ['a chunk size with 0x', toMutation([chunked], `0x${chunk}`)],
    ['a folded length', toMutation([`content-length:\r\n ${body.length}`])],
    ['NUL in a value', toMutation(['x: a\0b', length])],
    ['an invalid version', toMutation([length]).replace('HTTP/1.1', 'HTTP/1.2')],
    // Refused by the gateway.
    ['a coding that nobody knows', toMutation(['transfer-encoding: xchunked'], chunk)],
    ['a coding besides chunked', toMutation(['transfer-encoding: gzip, chunked'], chunk)],
    ['two codings', toMutation([chunked, chunked], chunk)],
    ['an empty coding', toMutation(['transfer-encoding: '], chunk)],
    ['two hosts', toMutation(['host: other', length])],
    ['two hosts in HTTP/1.0', toMutation(['host: other', length]).replace('HTTP/1.1', 'HTTP/1.0')],
    ['a list of hosts without a space', toHost('gateway,other')],
    [
      'a transfer coding in HTTP/1.0',
      toMutation([chunked, 'connection: keep-alive'], chunk).replace('HTTP/1.1', 'HTTP/1.0'),
    ],
    ['no version', toMutation([length]).replace(' HTTP/1.1', '')],
  ])('gets one 400, and the connection is closed: %s', async (_, bytes) => {
    const { url, calls } = await startTestGateway();

    // The gateway must not serve the second request, which follows on the same connection, either.
    const answers = await exchange(url, bytes + toPost(body, [authorization]));

    expect(answers).toMatchObject([{ status: 400, headers: { connection: 'close' } }]);
    expect(calls).toEqual([]);
  });
});

it.each([
  ['an IPv6 address', toHost('[2001:DB8::1]:4000')],
  ['no host in HTTP/1.0', toHost('').replace('host: ', 'x: ').replace('HTTP/1.1', 'HTTP/1.0')],
  ['another host than in an absolute target, which has precedence', toAbsolute(toHost('other'))],
])('a request is served with a proper Host: %s', async (_, bytes) => {
  const { url, calls } = await startTestGateway();

  const answers = await exchange(url, bytes.replace(length, `connection: close\r\n${length}`));

  expect(answers).toMatchObject([{ status: 200, body: { data: { createStudy: {} } } }]);
  expect(calls).toHaveLength(1);
});

it('malformed data after the answer to a request gets 400', async () => {
  const { url } = await startTestGateway();
  const socket = await connectTo(url);
  const received = readToEnd(socket);

  socket.write(toPost('{"query":"{ __typename }"}'));
  await new Promise((resolve) => void socket.once('data', resolve));
  socket.write('HELLO\r\n\r\n');

  expect(toAnswers(await received).map(({ status }) => status)).toEqual([200, 400]);
});
