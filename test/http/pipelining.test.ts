import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { nextConnection } from '../support/next-connection.js';
import { connectTo, exchange, json, readToEnd, toAnswers, toRequest } from '../support/raw-http.js';

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

describe('pipelined requests', () => {
  it('are begun and answered one after the other', async () => {
    const { url, stored, firstCall, release, createMarker } = await startHeldGateway();
    const names = ['first', 'second', 'third'];

    const [socket, received] = await send(url, names.map((name) => create(name)).join(''));
    await firstCall;
    await createMarker();
    expect(stored()).toEqual(['first', 'marker']);
    socket.write(create('last', ['connection: close']));
    release();

    expect(toAnswers(await received)).toEqual([
      ...names.map((name) => created(name)),
      created('last', 'close'),
    ]);
    expect(stored()).toEqual(['first', 'marker', 'second', 'third', 'last']);
  });

  it('are read whole, however long their bodies are', async () => {
    const { url, stored, firstCall, release } = await startHeldGateway();

    const long = create('long', [], 900_000);
    const [socket, received] = await send(url, create('first') + long + long);
    await firstCall;
    socket.write(create('last', ['connection: close']));
    release();

    expect(toAnswers(await received)).toEqual([
      created('first'),
      created('long'),
      created('long'),
      created('last', 'close'),
    ]);
    expect(stored()).toEqual(['first', 'long', 'long', 'last']);
  });

  it('get 100 Continue after the answers to earlier requests', async () => {
    const { url, firstCall, release, createMarker } = await startHeldGateway();

    const expecting = create('second', ['expect: 100-continue', 'connection: close']);
    const [, received] = await send(url, create('first') + expecting);
    await firstCall;
    await createMarker();
    release();

    expect(toAnswers(await received)).toEqual([
      created('first'),
      { status: 100, headers: {}, body: undefined },
      created('second', 'close'),
    ]);
  });

  it('are all answered before malformed data closes the connection', async () => {
    const { url, stored, firstCall, release, createMarker } = await startHeldGateway();

    const names = ['first', 'second', 'third'];
    const [, received] = await send(url, `${names.map((name) => create(name)).join('')}HELLO\r\n`);
    await firstCall;
    await createMarker();
    release();

    expect(toAnswers(await received)).toEqual([
      created('first'),
      created('second'),
      created('third', 'close'),
    ]);
    expect(stored()).toEqual(['first', 'marker', 'second', 'third']);
  });

  it('may be 16 behind the one that is carried out; further requests are not carried out', async () => {
    const { url, stored, firstCall, release, createMarker } = await startHeldGateway();
    const names = Array.from({ length: 40 }, (_, index) => `study${index}`);

    const [socket, received] = await send(url, names.map((name) => create(name)).join(''));
    await firstCall;
    await createMarker();
    socket.write(create('later'));
    await createMarker();
    release();

    expect(toAnswers(await received)).toEqual([
      ...names.slice(0, 16).map((name) => created(name)),
      created('study16', 'close'),
    ]);
    await createMarker();
    expect(stored().filter((name) => name !== 'marker')).toEqual(names.slice(0, 17));
  });
});

describe('what follows an answer with Connection: close on its connection is not carried out', () => {
  it.each([
    ['the client asks for it', create('first', ['connection: close'])],
    ['the client speaks HTTP/1.0', create('first').replace('HTTP/1.1', 'HTTP/1.0')],
  ])('because %s', async (_, bytes) => {
    const { url, stored, firstCall, release, createMarker } = await startHeldGateway();

    const [socket, received] = await send(url, bytes + create('second') + create('third'));
    await firstCall;
    await createMarker();
    socket.write(create('later'));
    await createMarker();
    release();

    expect(toAnswers(await received)).toEqual([created('first', 'close')]);
    await createMarker();
    expect(stored()).toEqual(['first', 'marker', 'marker', 'marker']);
  });

  it.each([
    ['the body is too long', 413, create('first', [], 2_000)],
    [
      'a chunked body is too long',
      413,
      toRequest(
        'POST /graphql',
        [json, authorization, 'transfer-encoding: chunked'],
        `500\r\n${' '.repeat(0x500)}\r\n0\r\n\r\n`,
      ),
    ],
    ['the Host header is missing', 400, create('first').replace(/host: .*\r\n/, '')],
    [
      'the transfer coding is not known',
      400,
      create('first', ['transfer-encoding: gzip, chunked']).replace(/content-length: .*\r\n/, ''),
    ],
  ])('because %s', async (_, status, bytes) => {
    const { url, stored, release, createMarker } = await startHeldGateway({ maxBodyBytes: 1_024 });
    release();

    const answers = await exchange(url, bytes + create('second') + create('third'));

    expect(answers).toEqual([
      {
        status,
        headers: expect.objectContaining({ connection: 'close' }),
        body: { errors: [expect.objectContaining({ message: expect.any(String) })] },
      },
    ]);
    await createMarker();
    expect(stored()).toEqual(['marker']);
  });

  it.each([true, false])('because the gateway closes, in production: %s', async (isProduction) => {
    const gateway = await startHeldGateway({ isProduction });
    const { url, stored, firstCall, release, createMarker } = gateway;

    const [socket, received] = await send(
      url,
      create('first') + create('second') + create('third'),
    );
    await firstCall;
    await createMarker();
    const closed = gateway.close();
    socket.write(create('fourth'));
    release();

    expect(toAnswers(await received)).toEqual([created('first', 'close')]);
    socket.end();
    await closed;
    expect(stored()).toEqual(['first', 'marker']);
  });

  it('but is read, so that the client does not lose the answer', async () => {
    const gateway = await startHeldGateway();
    const { url, stored, firstCall, release, createMarker } = gateway;

    const [socket, received] = await send(url, create('first') + create('second'));
    await firstCall;
    await createMarker();
    const closed = gateway.close();
    release();
    const text = await received;
    const sent = new Promise((resolve) => void socket.write(create('third', [], 800_000), resolve));
    expect(await sent).not.toBeInstanceOf(Error);
    socket.end();
    expect(toAnswers(text)).toEqual([created('first', 'close')]);
    await closed;
    expect(stored()).toEqual(['first', 'marker']);
  });

  it('because the gateway has ended the connection', async () => {
    const gateway = await startHeldGateway();
    const { url, stored, release, createMarker } = gateway;
    const connection = nextConnection(gateway);
    release();

    const socket = await connectTo(url);
    (await connection).end();
    const received = readToEnd(socket);
    socket.write(create('first') + create('second'));
    await createMarker();

    expect(await received).toBe('');
    expect(stored()).toEqual(['marker']);
  });

  it('because an earlier pipelined request asks for it', async () => {
    const { url, stored, firstCall, release, createMarker } = await startHeldGateway();

    const second = create('second', ['connection: close']);
    const [, received] = await send(url, create('first') + second + create('third'));
    await firstCall;
    release();

    expect(toAnswers(await received)).toEqual([created('first'), created('second', 'close')]);
    await createMarker();
    expect(stored()).toEqual(['first', 'second', 'marker']);
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

describe('the connection ends after the answer, and nothing that follows is carried out', () => {
  const old = (bytes: string): string => bytes.replace('HTTP/1.1', 'HTTP/1.0');

  it.each([
    ['of Upgrade: h2c', create('first', ['upgrade: h2c', 'connection: upgrade'])],
    ['of Upgrade: websocket', create('first', ['connection: Upgrade', 'upgrade: websocket'])],
    ['of HTTP/1.0 with keep-alive', old(create('first', ['connection: keep-alive']))],
    ['of HTTP/1.0 with both', old(create('first', ['connection: keep-alive, close']))],
  ])('%s', async (_, bytes) => {
    const { url, stored, firstCall, release, createMarker } = await startHeldGateway();

    const [socket, received] = await send(url, bytes + create('second'));
    await firstCall;
    // The begin of a third request, whose rest would be read as a request if the begin were lost.
    socket.write(create('third').slice(0, 80));
    await createMarker();
    release();
    const answers = toAnswers(await received);

    expect(answers).toEqual([created('first', 'close')]);
    expect(stored()).toEqual(['first', 'marker']);
  });
});
