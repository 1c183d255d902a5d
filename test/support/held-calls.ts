import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { wholeStudy } from './studies.js';
import { listen } from './listen.js';

/** A Study API that holds every call until the test lets it answer. */
export interface HoldingApi {
  readonly url: string;
  /** Method and path of each received call, such as `POST /studies`. */
  readonly arrived: readonly string[];
  /** Resolves as soon as at least `count` calls wait for their response. */
  readonly holds: (count: number) => Promise<void>;
  /** Answers the call that has waited longest with the study that the call asks for. */
  readonly answerNext: () => void;
  /** Maximum number of calls and of connections that were open at the same time. */
  readonly most: { readonly calls: number; readonly connections: number };
}

/** Starts a Study API that holds every call until `answerNext`. It closes when the test ends. */
export async function startHoldingApi(): Promise<HoldingApi> {
  const events = new EventEmitter();
  const arrived: string[] = [];
  const held: { url: string; response: ServerResponse }[] = [];
  const most = { calls: 0, connections: 0 };
  let connections = 0;
  const server = createServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    held.push({ url: request.url ?? '', response });
    most.calls = Math.max(most.calls, held.length);
    events.emit('call');
  });
  server.on('connection', (socket) => {
    connections += 1;
    most.connections = Math.max(most.connections, connections);
    socket.once('close', () => (connections -= 1));
  });
  return {
    url: await listen(server),
    arrived,
    most,
    holds: async (count) => {
      while (held.length < count) await once(events, 'call');
    },
    answerNext: () => {
      const next = held.shift();
      if (!next) throw new Error('No call waits for an answer.');
      const { url, response } = next;
      const id = /[\da-f-]{36}/.exec(url)?.[0] ?? wholeStudy.id;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...wholeStudy, id }));
    },
  };
}
