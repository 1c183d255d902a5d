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
    ['a length and chunks', toMutation([length, chunked], chunk)],
    ['chunks and a length', toMutation([chunked, length], chunk)],
    ['two lengths', toMutation([length, 'content-length: 5'])],
    ['two equal lengths', toMutation([length, length])],
    ['a list of lengths', toMutation([`${length}, ${body.length}`])],
    ['a length with a sign', toMutation([`content-length: +${body.length}`])],
    ['a negative length', toMutation(['content-length: -1'])],
    ['a length in hex', toMutation([`content-length: 0x${body.length.toString(16)}`])],
    ['an empty length', toMutation(['content-length: '])],
    ['a length that no number holds', toMutation(['content-length: 99999999999999999999'])],
    ['a coding that nobody knows', toMutation(['transfer-encoding: xchunked'], chunk)],
    ['a coding besides chunked', toMutation(['transfer-encoding: gzip, chunked'], chunk)],
    ['a coding after chunked', toMutation(['transfer-encoding: chunked, identity'], chunk)],
    ['identity', toMutation(['transfer-encoding: identity'], chunk)],
    ['chunked twice', toMutation(['transfer-encoding: chunked, chunked'], chunk)],
    ['two codings', toMutation([chunked, chunked], chunk)],
    ['an empty coding', toMutation(['transfer-encoding: '], chunk)],
    ['a vertical tab before chunked', toMutation(['transfer-encoding:\vchunked'], chunk)],
    ['bare LF everywhere', toMutation([length]).replaceAll('\r\n', '\n')],
    ['bare LF after the request line', toMutation([length]).replace('\r\n', '\n')],
    ['bare LF after a header', toMutation([`x: a\n${length}`])],
    ['bare LF after the headers', toMutation([length]).replace('\r\n\r\n', '\r\n\n')],
    ['bare CR after a header', toMutation([`x: a\r${length}`])],
    ['bare LF after a chunk size', toMutation([chunked], chunk.replace('\r\n', '\n'))],
    ['bare LF after a chunk', toMutation([chunked], chunk.replace('}\r\n', '}\n'))],
    ['an invalid chunk size', toMutation([chunked], `x${chunk}`)],
    ['a chunk size with 0x', toMutation([chunked], `0x${chunk}`)],
    ['a chunk size that no number holds', toMutation([chunked], `fffffffffffffffffff${chunk}`)],
    [
      'a chunk extension without end',
      toMutation([chunked], chunk.replace('\r\n', `;a=${'b'.repeat(20_000)}\r\n`)),
    ],
    ['a folded header', toMutation([`x: a\r\n b`, length])],
    ['a folded length', toMutation([`content-length:\r\n ${body.length}`])],
    ['a first header that is folded', toMutation([length]).replace('host:', ' x: a\r\nhost:')],
    ['a space before the colon', toMutation([length.replace(':', ' :')])],
    ['a space in a name', toMutation([`x y: a`, length])],
    ['no name', toMutation([`: a`, length])],
    ['no colon', toMutation(['content-length', length])],
    ['NUL in a value', toMutation(['x: a\0b', length])],
    ['NUL in a name', toMutation(['x\0: a', length])],
    ['CR in a value', toMutation(['x: a\rb', length])],
    ['LF in a value', toMutation(['x: a\nb', length])],
    ['a control character in a value', toMutation(['x: a\u0001b', length])],
    ['two hosts', toMutation(['host: other', length])],
    ['two equal hosts', toMutation(['Host: gateway', length])],
    ['two hosts in HTTP/1.0', toMutation(['host: other', length]).replace('HTTP/1.1', 'HTTP/1.0')],
    ['an empty host beside another', toMutation(['host: ', length])],
    ['a list of hosts', toHost('gateway, other')],
    ['a list of hosts without a space', toHost('gateway,other')],
    [
      'a transfer coding in HTTP/1.0',
      toMutation([chunked, 'connection: keep-alive'], chunk).replace('HTTP/1.1', 'HTTP/1.0'),
    ],
    ['two hosts beside an absolute target', toAbsolute(toMutation(['host: other', length]))],
    ['an invalid version', toMutation([length]).replace('HTTP/1.1', 'HTTP/1.2')],
    ['no version', toMutation([length]).replace(' HTTP/1.1', '')],
    ['an invalid method', toMutation([length]).replace('POST', 'PSOT')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003'],
  ])('gets one 400, and the connection is closed: %s', async (_, bytes) => {
    const { url, calls } = await startTestGateway();

    // The gateway must not serve the second request, which follows on the same connection, either.
    const answers = await exchange(url, bytes + toPost(body, [authorization]));

    expect(answers).toEqual([
      {
        status: 400,
        headers: expect.objectContaining({ connection: 'close' }),
        body: {
          errors: [
            {
              message: expect.stringContaining('The request is not well-formed'),
              extensions: expect.objectContaining({ code: 'BAD_REQUEST', outcome: 'NOT_SENT' }),
            },
          ],
        },
      },
    ]);
    expect(calls).toEqual([]);
  });
});

const withoutHost = toMutation([length]).replace('host: gateway\r\n', '');

it.each([withoutHost, toAbsolute(withoutHost)])(
  'a request without Host gets a 400 of Node, and nothing is carried out',
  async (bytes) => {
    const { url, calls } = await startTestGateway();

    const socket = await connectTo(url);
    socket.write(bytes + toPost(body, [authorization]));
    const received = await readToEnd(socket);

    expect(received).toMatch(
      /^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n[^]*\r\n\r\n0\r\n\r\n$/i,
    );
    expect(calls).toEqual([]);
  },
);

it.each([
  ['a name', toHost('study-gateway_1.example')],
  ['a name with a port', toHost('gateway:4000')],
  ['an IPv4 address', toHost('192.0.2.7:80')],
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
