import { lookup, lookupService } from 'node:dns/promises';
import { once } from 'node:events';
import { access } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, OutgoingMessage, ServerResponse, type Server } from 'node:http';
import { connect, Server as TcpServer, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeGentlyAfterLastAnswer, ignoreInput } from '../../src/http/connection/close-gently.js';
import { listen } from '../support/listen.js';

const request = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n';

/** Starts this server, and returns a connection to the server. Closes both when the test ends. */
async function connectTo(server: Server): Promise<Socket> {
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

describe("Node's ServerResponse, which src/http/connection/response-class.ts extends", () => {
  it('reads writableEnded by an accessor of its prototype', () => {
    const descriptor = Object.getOwnPropertyDescriptor(OutgoingMessage.prototype, 'writableEnded');

    expect(descriptor).toMatchObject({ get: expect.any(Function) });
  });

  it('passes every head through writeHead, with headers as an object', async () => {
    const heads: unknown[][] = [];
    class Watched extends ServerResponse {
      override writeHead(...head: unknown[]): this {
        heads.push(head);
        return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>));
      }
    }
    const options = { ServerResponse: Watched as typeof ServerResponse };
    const url = await listen(createServer(options, (_, response) => response.end('no head given')));

    await fetch(url);

    expect(heads).toEqual([[200]]);
  });
});

describe("Node's connections, which src/http/connection/close-gently.ts closes", () => {
  it('end by destroySoon once the last answer is written', async () => {
    const calls: string[] = [];
    const server = createServer(({ socket }, response) => {
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        calls.push(response.writableEnded ? 'after the end' : 'before the end');
        destroySoon();
      };
      response.setHeader('connection', 'close').end('the last answer');
    });
    const socket = await connectTo(server);
    socket.resume().write(request);
    await once(socket, 'close');

    expect(calls).toEqual(['after the end']);
  });

  it('are not writable any more when later listeners hear that the last answer is written', async () => {
    const written: boolean[][] = [];
    const server = createServer((request, response) => {
      const isLast = request.url === '/last';
      if (isLast) response.setHeader('connection', 'close');
      response.on('finish', () => written.push([isLast, request.socket.writable]));
      response.end('an answer');
    });
    const socket = await connectTo(server);
    socket.resume().write(request + request.replace('/', '/last'));
    await once(socket, 'close');

    expect(written).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  it('do not end by destroySoon while further answers may follow', async () => {
    let calls = 0;
    const server = createServer(({ socket }, response) => {
      socket.destroySoon = () => (calls += 1);
      response.end('an answer');
    });
    const socket = await connectTo(server);
    socket.write(request);
    await once(socket, 'data');

    expect(calls).toBe(0);
  });

  it('let a client read the last answer of a connection that closes gently', async () => {
    const server = createServer(({ socket }, response) => {
      closeGentlyAfterLastAnswer(socket);
      response.setHeader('connection', 'close').end('the last answer');
    });
    const socket = await connectTo(server);
    socket.setEncoding('utf8').write(request);
    let text = '';
    for await (const part of socket) text += part;

    expect(text).toMatch(/the last answer/);
  });

  it('are attached to the HTTP parser only by listeners to data', async () => {
    let requests = 0;
    const ignored = Promise.withResolvers<void>();
    const server = createServer(({ socket }) => {
      requests += 1;
      ignoreInput(socket);
      socket.on('data', () => ignored.resolve());
    });
    const socket = await connectTo(server);
    socket.write(request);
    await once(server, 'request');
    socket.write(request);
    await ignored.promise;

    expect(requests).toBe(1);
  });

  it('stay open when net.Server closes their server, as src/http/connection/drain.ts does it', async () => {
    const server = createServer((_, response) => response.end('an answer'));
    const socket = await connectTo(server);
    socket.setEncoding('utf8').write(request);
    await once(socket, 'data');

    TcpServer.prototype.close.call(server);
    socket.write(request);
    const [answer] = await once(socket, 'data');

    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });
});

it.each<[string, () => Promise<unknown>]>([
  ['FSReqCallback', () => promisify(access)('/')],
  ['FSReqPromise', () => stat('/')],
  ['GetAddrInfoReqWrap', () => lookup('localhost')],
  ['GetNameInfoReqWrap', () => lookupService('127.0.0.1', 80)],
])(
  'Node lists work of its threads as %s, as src/process/shutdown.ts expects',
  async (name, begin) => {
    const ended = begin();
    const names = process.getActiveResourcesInfo();
    await Promise.allSettled([ended]);

    expect(names).toContain(name);
  },
);
