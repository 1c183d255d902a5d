import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { wholeStudy } from '../support/studies.js';

/** A write that the Study API has received completely. */
export interface Write {
  /** The study's description, which is unique for each write. */
  readonly description: string;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Stores the write, and returns the study as JSON. */
  readonly store: () => string;
}

export type Behavior = (write: Write) => void;

export interface StudyLedger {
  readonly url: string;
  /** Descriptions of all completely received writes. */
  readonly arrived: ReadonlySet<string>;
  /** Number of times that each write was stored, by description. */
  readonly stored: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

/** Keep-alive timeout, which the server announces. The gateway closes idle connections well before this timeout. */
const KEEP_ALIVE_MS = 3_000;

/** Starts a Study API that records the writes it stores, and shows them. `behave` handles each write. */
export async function startStudyLedger(behave: Behavior): Promise<StudyLedger> {
  const arrived = new Set<string>();
  const stored = new Map<string, number>();
  /** The stored studies as JSON, by id. */
  const studies = new Map<string, string>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const { method, url = '' } = request;
    if (method === 'GET') {
      const study = studies.get(url.slice('/studies/'.length));
      response.writeHead(study ? 200 : 404, { 'content-type': 'application/json' });
      response.end(study ?? '{}');
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { description } = JSON.parse(body) as { description: string };
      arrived.add(description);
      const store = (): string => {
        stored.set(description, (stored.get(description) ?? 0) + 1);
        const id = method === 'POST' ? randomUUID() : url.slice('/studies/'.length);
        const study = JSON.stringify({ ...wholeStudy, description, id });
        studies.set(id, study);
        return study;
      };
      behave({ description, response, socket: request.socket, store });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    stored,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
