import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { studyId } from '../support/inputs.js';
import {
  connectTo,
  exchange,
  json,
  readToEnd,
  refusal,
  toAnswers,
  toRequest,
} from '../support/raw-http.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

const mebibyte = 1024 * 1024;

/** Writes `chunk` repeatedly until the server closes the connection. Returns the number of bytes written. */
async function pour(socket: Socket, chunk: string): Promise<number> {
  const pourSome = (): void => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', pourSome);
  pourSome();
  await new Promise((resolve) => void socket.once('close', resolve));
  return socket.bytesWritten;
}

describe('a body over MAX_BODY_BYTES', () => {
  it('is refused before a byte of it is sent', async () => {
    const { url, calls } = await startTestGateway();
    const length = `content-length: ${256 * 1024 + 1}`;

    const answers = await exchange(url, toRequest('POST /graphql', [json, length]));

    const requestId = answers[0]?.headers['x-request-id'];
    expect(answers).toEqual([
      { status: 413, headers: expect.anything(), body: refusal(expect.any(String), requestId) },
    ]);
    expect(answers[0]?.headers).toMatchObject({
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.any(String),
    });
    expect(calls).toEqual([]);
  });

  it('is refused at the first byte over the limit when it has no Content-Length', async () => {
    const { url } = await startTestGateway({ maxBodyBytes: 1024 });
    const socket = await connectTo(url);
    const answer = readToEnd(socket);
    let isAnswered = false;
    socket.once('data', () => (isAnswered = true));

    socket.write(toRequest('POST /graphql', [json, 'transfer-encoding: chunked']));
    socket.write(`400\r\n${' '.repeat(1024)}\r\n`);
    // A response to the bytes so far would arrive before the response on this other connection.
    await exchange(url, toRequest('GET /health/live', ['connection: close']));
    expect(isAnswered).toBe(false);
    socket.write('1\r\n \r\n');

    expect(toAnswers(await answer)).toMatchObject([{ status: 413, body: refusal() }]);
  });

  it('is answered while the client keeps writing, and then the gateway closes the connection', async () => {
    const { url } = await startTestGateway();
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const heads = {
      'chunked without end': ['POST /graphql', 'transfer-encoding: chunked'],
      'of a known length': ['POST /graphql', 'content-length: 99999999999'],
      'at another path': ['PUT /studies', 'transfer-encoding: chunked'],
      'that nobody asked for': ['GET /health/live', 'transfer-encoding: chunked'],
    } as const;

    const floods = Object.entries(heads).map(async ([what, [requestLine, header]]) => {
      const socket = await connectTo(url);
      const received = readToEnd(socket);
      socket.write(toRequest(requestLine, [json, header]));
      const bytes = await pour(socket, chunk);
      const [answer] = toAnswers(await received);
      return [what, { ...answer, bytes }];
    });

    const bounded = {
      headers: expect.objectContaining({ connection: 'close' }),
      body: refusal(),
      // Upper bound: the limit, the same number of discarded bytes, and the buffers of both sockets.
      bytes: expect.toSatisfy((bytes: number) => bytes < 32 * mebibyte),
    };
    expect(Object.fromEntries(await Promise.all(floods))).toEqual({
      'chunked without end': { status: 413, ...bounded },
      'of a known length': { status: 413, ...bounded },
      'at another path': { status: 413, ...bounded },
      'that nobody asked for': { status: 200, ...bounded, body: { status: 'ok' } },
    });
  });

  it('is answered even to a client that reads only after it has sent the whole body', async () => {
    const { url } = await startTestGateway({ maxBodyBytes: mebibyte / 2 });
    const socket = await connectTo(url);
    const half = ' '.repeat(mebibyte * 0.4);

    socket.write(toRequest('POST /graphql', [json, `content-length: ${half.length * 2}`], half));
    // A response on another connection proves that the gateway has answered this one, and could have closed it.
    await exchange(url, toRequest('GET /health/live', ['connection: close']));
    const sent = new Promise((resolve) => void socket.write(half, resolve));

    expect(await sent).not.toBeInstanceOf(Error);
    expect(toAnswers(await readToEnd(socket))).toMatchObject([{ status: 413 }]);
  });
});

describe('all request bodies together', () => {
  /** The first 4 KiB of each body are free. */
  const settings = { maxAllBodiesBytes: 50_000 };
  const short = '{"query":"{__typename}"}';
  const long = short.padEnd(40_000);
  const toHeaders = (length: number): string[] => [json, `content-length: ${length}`];

  /** Sends a body but its last byte. Returns the connection once the gateway has read these bytes. */
  async function sendAllButTheLast(url: string): Promise<Socket> {
    const socket = await connectTo(url);
    socket.write(toRequest('POST /graphql', toHeaders(long.length), long.slice(0, -1)));
    // A response on another connection proves that the gateway has read what was sent before.
    await exchange(url, toRequest('GET /health/live', ['connection: close']));
    return socket;
  }

  it('a body over their limit is refused with 503, and read again once another body is gone', async () => {
    const { url, post } = await startTestGateway(settings);
    const first = await sendAllButTheLast(url);

    const refused = await post(long);
    const chunked = await connectTo(url);
    const chunks = `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`;
    chunked.write(toRequest('POST /graphql', [json, 'transfer-encoding: chunked'], chunks));

    const { errors } = (await refused.json()) as { errors: [{ extensions: object }] };
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(errors[0].extensions).toMatchObject({
      code: 'OVERLOADED',
      outcome: 'NOT_SENT',
      retryable: true,
      retryAfterSeconds: 1,
    });
    expect(toAnswers(await readToEnd(chunked))).toMatchObject([{ status: 503 }]);
    // The first 4 KiB are free.
    expect((await post(short.padEnd(4_096))).status).toBe(200);
    first.destroy();
    await expect.poll(async () => (await post(long)).status).toBe(200);
  });

  it('a body counts until its response is written, and no longer', async () => {
    const held = Promise.withResolvers<() => void>();
    const { post } = await startTestGateway({
      ...settings,
      api: (...args) => held.resolve(() => answerJson(wholeStudy)(...args)),
    });
    const create = '{"query":"mutation { createStudy(input: {}) { id } }"}'.padEnd(40_000);
    const first = post(create);
    const answer = await held.promise;

    expect((await post(long)).status).toBe(503);
    answer();
    expect((await first).status).toBe(200);
    for (let times = 0; times < 5; times += 1) expect((await post(long)).status).toBe(200);
    expect((await post(long.replace('}', '!'))).status).toBe(400);
    expect((await post(long)).status).toBe(200);
  });
});

describe('a body that is not an operation', () => {
  const nested = (count: number): string => '['.repeat(count) + ']'.repeat(count);
  it.each<[string, string | Buffer<ArrayBuffer>]>([
    ['empty', ''],
    ['half of an object', '{"query":"{__typename}"'],
    ['a form', 'query=%7B__typename%7D'],
    ['an overlong slash', Buffer.from('{"query":"{__typename}","a":"\xc0\xaf"}', 'latin1')],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['a batch', '[{"query":"mutation { createStudy(input: {}) { id } }"}]'],
    ['a list of 10,000 lists', nested(10_000)],
    ['a query that is a list', '{"query":["{__typename}"]}'],
    ['variables that are a string', '{"query":"{__typename}","variables":"{}"}'],
    ['an operation name that is an object', '{"query":"{__typename}","operationName":{}}'],
    ['extensions that are a list', '{"query":"{__typename}","extensions":[]}'],
  ])('is refused with 400 and GraphQL errors, never with a page: %s', async (_, body) => {
    const { send, calls } = await startTestGateway();
    const headers = { 'content-type': 'application/json', accept: 'text/html, */*;q=0.5' };

    const response = await send({ method: 'POST', headers, body: new Blob([body]) });

    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
      400,
      'application/json',
    ]);
    const requestId = response.headers.get('x-request-id');
    expect(await response.json()).toEqual(refusal(expect.any(String), requestId));
    expect(calls).toEqual([]);
  });
});

describe('a name of a property of JavaScript objects', () => {
  const create = 'mutation($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
  const poison = '{"polluted":true,"description":"polluted","prototype":{"polluted":true}}';
  const query = `"query":${JSON.stringify(create)}`;
  it.each<[string, string, string[]]>([
    ['beside the query', `{${query},"variables":{"input":{}},"__proto__":${poison}}`, ['{}']],
    ['in place of the query', `{"__proto__":{${query},"variables":{"input":{}}}}`, []],
    ['in place of a variable', `{${query},"variables":{"__proto__":{"input":${poison}}}}`, []],
    ['in the input, escaped', `{${query},"variables":{"input":{"__pr\\u006fto__":${poison}}}}`, []],
    [
      'below the input',
      `{${query},"variables":{"input":{"progress":{"__proto__":{"total":1}}}}}`,
      [],
    ],
  ])('reaches neither a prototype nor the Study API: %s', async (_, body, sent) => {
    const { post, calls } = await startTestGateway();
    const before = Object.getOwnPropertyNames(Object.prototype);

    const response = await post(body);

    expect(response.status).toBe(sent.length > 0 ? 200 : 400);
    expect(calls.map((call) => call.body)).toEqual(sent);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(['__proto__', 'constructor'])('works as the name of a variable: $%s', async (name) => {
    const { graphql, calls } = await startTestGateway();
    const document = `mutation($${name}: CreateStudyInput!, $description: String) {
        given: createStudy(input: $${name}) { id }
        inherited: createStudy(input: { description: $description, status: "x" }) { id }
      }`;

    await graphql(document, JSON.parse(`{"${name}":{"description":"mine"}}`));

    expect(calls.map(({ body }) => body)).toEqual(['{"description":"mine"}', '{"status":"x"}']);
  });

  it('works as a response name', async () => {
    const { graphql } = await startTestGateway();

    const { data } = await graphql(
      `query { __proto__: study(id: "${studyId}") { __proto__: status constructor: language } }`,
    );

    expect(JSON.stringify(data)).toBe('{"__proto__":{"__proto__":"running","constructor":"en"}}');
  });
});
