import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'vitest';
import { fateNames, fates, type FateName } from './every-field.fixture.js';

// An API of studies and notes. It knows a run by its token, and the fate of a write by the write's own text.

/** What the API did in one run. */
export class Run {
  /** Texts of the writes, in the order of their arrival. */
  readonly arrived: string[] = [];
  /** Ids of the things that were stored, by the text of the write. */
  readonly stored = new Map<string, string[]>();
  /** How many calls had arrived when graphql-js began to execute; `undefined` if it never did. */
  callsBeforeExecution: number | undefined;
  /** The API stops listening before it answers this call. */
  lastCall = Infinity;
}

/** Starts the API. `onEnd` is called with what stops it. */
export async function startApi(onEnd: (end: () => void) => void) {
  const runs = new Map<string, Run>();
  const server = createServer((request, response) => void answer(request, response));
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  /** Stops listening, and waits until the gateways have closed all connections but that of the call. */
  const stop = async (): Promise<void> => {
    server.close();
    const count = (): Promise<number> =>
      new Promise((resolve, reject) =>
        server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
      );
    await expect.poll(count, { interval: 5 }).toBe(1);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = JSON.parse((await readText(request)) || '{}') as Record<string, string>;
    const run = runs.get(headers.authorization ?? '') ?? new Run();
    const id = method === 'POST' ? randomUUID() : (url.split('/')[2] ?? '');
    if (method === 'GET') {
      if (url === '/_execution') run.callsBeforeExecution = run.arrived.length;
      return void response.end(JSON.stringify({ id }));
    }
    const text = body['text'] ?? body['description'] ?? id;
    const fate =
      method === 'DELETE'
        ? fateNames[Number.parseInt(id.slice(0, 8), 16)]!
        : (text.split(' #')[0] as FateName);
    run.arrived.push(text);
    if (fates[fate].stores) run.stored.set(text, [...(run.stored.get(text) ?? []), id]);
    if (run.arrived.length === run.lastCall) {
      await stop();
      response.setHeader('connection', 'close');
    }
    const name = 'text' in body ? 'text' : 'description';
    if (fate === 'whole' && method === 'DELETE') return void response.writeHead(204).end();
    answers[fate](response, { id, [name]: text }, name);
  };
  const port = await listen(0);
  onEnd(() => (server.closeAllConnections(), void server.close()));
  const toRun = (token: string): Run => {
    const run = new Run();
    runs.set(`Bearer ${token}`, run);
    return run;
  };
  return { url: `http://127.0.0.1:${port}`, toRun, start: () => listen(port) };
}

type Answer = (response: ServerResponse, thing: Record<string, string>, name: string) => void;

const reply =
  (status: number, body = ''): Answer =>
  (response) =>
    void response.writeHead(status).end(body);
const whole =
  (status: number): Answer =>
  (response, thing) =>
    void response.writeHead(status).end(JSON.stringify(thing));
const cut =
  (length: number): Answer =>
  (response, thing) => {
    response.writeHead(200, { 'content-length': 1_000 });
    response.write(JSON.stringify(thing).slice(0, length), () => response.socket?.destroy());
  };
const reset: Answer = (response) => void response.socket?.resetAndDestroy();

const answers: Record<FateName, Answer> = {
  whole: whole(200),
  'whole 201': whole(201),
  'broken text': (response, thing, name) =>
    void response.end(JSON.stringify({ ...thing, [name]: 7 })),
  // `{"id":"…",` has 45 characters.
  'cut after the id': cut(46),
  'empty 201': reply(201),
  '422': reply(422, '{"detail":"no"}'),
  '409': reply(409),
  '404': reply(404),
  'cut before the id': cut(20),
  'page with 200': reply(200, '<html></html>'),
  'refusal with 200': reply(200, '{"success":false}'),
  'reset before storing': reset,
  'reset after storing': reset,
  '500 before storing': reply(500),
  '500 after storing': reply(500),
  'silence before storing': () => {},
  'silence after storing': () => {},
};
