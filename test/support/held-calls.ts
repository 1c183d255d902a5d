import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { wholeStudy } from './studies.js';
import { listen } from './listen.js';

/** A Study API that answers when it is told to. */
export interface HoldingApi {
  readonly url: string;
  /** A line for each call that arrived. */
  readonly arrived: readonly string[];
  /** Resolves when so many calls wait for their answer. */
  readonly holds: (count: number) => Promise<void>;
  /** Answers the call that has waited longest. */
  readonly answerNext: () => void;
  /** The most calls and connections that there were at once. */
  readonly most: { readonly calls: number; readonly connections: number };
}

/** It closes when the test ends. */
export async function startHoldingApi(): Promise<HoldingApi> {
  const events = new EventEmitter();
  const arrived: string[] = [];
  const held: ServerResponse[] = [];
  const most = { calls: 0, connections: 0 };
  let connections = 0;
  const server = createServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    held.push(response);
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
      const response = held.shift();
      if (!response) throw new Error('No call waits for an answer.');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(wholeStudy));
    },
  };
}
