import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { nextConnection } from '../support/next-connection.js';
import {
  connectTo,
  exchange,
  json,
  readToEnd,
  toAnswers,
  toPost,
  toRequest,
} from '../support/raw-http.js';

const authorization = 'authorization: Bearer test-token';

/** Returns the bytes of a `createStudy` whose description and response name are `name`. */
function create(name: string, headers: readonly string[] = [], padding = 0): string {
  const query = `mutation { ${name}: createStudy(input: { description: "${name}" }) { id } }`;
  const body = JSON.stringify({ query }) + ' '.repeat(padding);
  const head = [json, authorization, `content-length: ${body.length}`, ...headers];
  return toRequest('POST /graphql', head, body);
}

/** Returns the expected answer to `create(name)`. */
function created(name: string, connection = 'keep-alive'): object {
  const headers = expect.objectContaining({ connection });
  return { status: 200, headers, body: { data: { [name]: { id: wholeStudy.id } } } };
}

interface HeldGateway extends TestGateway {
  /** Descriptions of the studies that the Study API was asked to create, oldest first. */
  readonly stored: () => string[];
  /** Resolves when the first call has arrived. */
  readonly firstCall: Promise<unknown>;
  /** Answers the first call. The Study API answers every later call at once. */
  readonly release: () => void;
  /** Creates a study on another connection: whatever was sent before has been read by the gateway after that. */
  readonly createMarker: () => Promise<void>;
}

async function startHeldGateway(
  options: Parameters<typeof startTestGateway>[0] = {},
): Promise<HeldGateway> {
  const first = Promise.withResolvers<ServerResponse>();
  const answer = (response: ServerResponse) => void response.end(JSON.stringify(wholeStudy));
  const gateway: TestGateway = await startTestGateway({
    ...options,
    api: (response) => (gateway.calls.length === 1 ? first.resolve(response) : answer(response)),
  });
  return {
    ...gateway,
    stored: () => gateway.calls.map(({ body }) => JSON.parse(body).description),
    firstCall: first.promise,
    release: () => void first.promise.then(answer),
    createMarker: async () => {
      await exchange(gateway.url, create('marker', ['connection: close']));
    },
  };
}

/** Sends `bytes` on a new connection, and returns the connection and the promise of all that it receives. */
async function send(url: string, bytes: string): Promise<[Socket, Promise<string>]> {
  const socket = await connectTo(url);
  const received = readToEnd(socket);
  socket.write(bytes);
  return [socket, received];
}

/** A description with which two pages of 100 studies have more bytes than the kernel buffers for a connection. */
const long = 'x'.repeat(35_000);

/** Sends further bytes, and expects that the gateway takes them and ends the connection by FIN: no reset arrives. */
async function expectGentleEnd(socket: Socket): Promise<void> {
  const failed: unknown[] = [];
  socket.on('error', (error) => failed.push(error));
  await new Promise((resolve) => void socket.write(create('later', [], 100_000), resolve));
  socket.end();
  await once(socket, 'close');
  expect([socket.readableEnded, failed]).toEqual([true, []]);
}

describe('a request before the end of the answer to the request before it is not carried out', () => {
  it.each([
    ['in the segment of that request', create('second') + create('third'), ''],
    [
      'while that request waits for the Study API',
      '',
      create('second', ['expect: 100-continue'], 900_000) + create('third'),
    ],
    ['nor answered in its place: malformed data', 'HELLO\r\n\r\n', ''],
    ['nor answered: a malformed body', create('second', ['transfer-encoding: chunked']), ''],
    ['nor answered: long headers', create('second', [`x: ${'a'.repeat(20_000)}`]), ''],
  ])('%s', async (_, behind, later) => {
    const { url, stored, firstCall, release, createMarker } = await startHeldGateway();

    const [socket, received] = await send(url, create('first') + behind);
    await firstCall;
    socket.write(later);
    await createMarker();
    release();

    expect(toAnswers(await received)).toEqual([created('first', 'close')]);
    await expectGentleEnd(socket);
    await createMarker();
    expect(stored()).toEqual(['first', 'marker', 'marker']);
  });

  it('in the middle of that answer', async () => {
    const items = Array.from({ length: 100 }, () => ({ ...wholeStudy, description: long }));
    const api = { items, page: 1, size: 100, total: 100, pages: 1 };
    const { url, calls } = await startTestGateway({ api: answerJson(api) });
    const socket = await connectTo(url);
    const page = 'studies(size: 100) { items { id description } }';
    const read = JSON.stringify({ query: `{ a: ${page} b: ${page} }` });
    // The client stops to read, so that most of the answer waits in the gateway.
    const begin = once(socket, 'data');
    socket.write(toPost(read, [authorization]));
    const [first] = (await begin) as [Buffer];
    socket.pause();
    socket.write(create('late'));
    await exchange(url, toRequest('GET /health/live', ['connection: close']));

    const rest = readToEnd(socket);
    socket.resume();

    const [answer, ...others] = toAnswers(first.toString('latin1') + (await rest));
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { b: { items: expect.any(Array) } } },
    });
    expect(others).toEqual([]);
    await expectGentleEnd(socket);
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

it('a flood of requests behind a request is not read', async () => {
  const gateway = await startHeldGateway();
  const connection = nextConnection(gateway);
  const [socket, received] = await send(gateway.url, create('first'));
  const server = await connection;
  await gateway.firstCall;

  // Longer than what the gateway discards and the kernel buffers.
  socket.write(create('next', [`x: ${'a'.repeat(15_000)}`]).repeat(2_000));
  await expect.poll(() => server.isPaused(), { interval: 5 }).toBe(true);
  gateway.release();

  expect(await received).toContain(wholeStudy.id);
  expect(server.bytesRead).toBeLessThan(4_000_000);
});

it('a request after the end of the answer before it is carried out on the same connection', async () => {
  const { url, stored, release } = await startHeldGateway();
  release();
  const socket = await connectTo(url);
  const answered = once(socket, 'data');
  socket.write(create('first'));
  const [first] = (await answered) as [Buffer];
  socket.write(create('second', ['connection: close']));

  const rest = await readToEnd(socket);

  expect(toAnswers(first.toString('latin1') + rest)).toEqual([
    created('first'),
    created('second', 'close'),
  ]);
  expect(stored()).toEqual(['first', 'second']);
});

describe('nothing that follows on the connection is carried out', () => {
  const old = (bytes: string): string => bytes.replace('HTTP/1.1', 'HTTP/1.0');
  it.each([
    ['the client asks for the end', create('first', ['connection: close'])],
    ['of HTTP/1.0 with keep-alive', old(create('first', ['connection: keep-alive']))],
    ['of Upgrade: websocket', create('first', ['connection: Upgrade', 'upgrade: websocket'])],
  ])('because %s', async (_, bytes) => {
    const { url, stored, firstCall, release, createMarker } = await startHeldGateway();

    const [socket, received] = await send(url, bytes + create('second'));
    await firstCall;
    // The begin of a third request, whose rest would be read as a request if the begin were lost.
    socket.write(create('third').slice(0, 80));
    await createMarker();
    release();

    expect(toAnswers(await received)).toEqual([created('first', 'close')]);
    await createMarker();
    expect(stored()).toEqual(['first', 'marker', 'marker']);
  });

  it.each([
    ['the body is too long', 413, create('first', [], 2_000)],
    ['CONNECT is no request for the gateway', undefined, 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n'],
  ])('because %s', async (_, status, bytes) => {
    const { url, stored, release, createMarker } = await startHeldGateway({ maxBodyBytes: 1_024 });
    release();

    const answers = await exchange(url, bytes + create('second') + create('third'));

    expect(answers.map((answer) => [answer.status, answer.headers['connection']])).toEqual(
      status ? [[status, 'close']] : [],
    );
    await createMarker();
    expect(stored()).toEqual(['marker']);
  });
});

it('of a client that disconnects, the request that was begun is carried out, and those behind it are not', async () => {
  const gateway = await startHeldGateway();
  const { url, stored, firstCall, release, createMarker, log } = gateway;
  const connection = nextConnection(gateway);

  const [socket] = await send(url, create('first') + create('second') + create('third'));
  await firstCall;
  await createMarker();
  const closed = once(await connection, 'close');
  socket.destroy();
  await closed;
  release();
  await createMarker();
  const toOperations = () => log.filter(({ msg }) => msg === 'operation').length;

  await expect.poll(toOperations, { interval: 5 }).toBe(3);
  expect(stored()).toEqual(['first', 'marker', 'marker']);
});

it('closes the connection after a path that cannot be decoded, and carries out nothing behind it', async () => {
  const gateway = await startTestGateway();

  const answers = await exchange(gateway.url, toRequest('GET /%zz', []) + create('second'));

  expect(answers).toMatchObject([{ status: 400, headers: { connection: 'close' } }]);
  expect(gateway.calls).toEqual([]);
});
