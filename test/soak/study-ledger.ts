import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { wholeStudy } from '../support/studies.js';

/** A write that has arrived whole. */
export interface Write {
  /** Unique to it: what the client sent as the study's description. */
  readonly description: string;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Enters the write in the ledger, and returns the study as JSON. */
  readonly store: () => string;
}

export type Behavior = (write: Write) => void;

export interface StudyLedger {
  readonly url: string;
  /** Of every write that arrived whole. */
  readonly arrived: ReadonlySet<string>;
  /** How often each was stored. */
  readonly stored: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

/** Announced to clients: the gateway lets go of an idle connection well before. */
const KEEP_ALIVE_MS = 3_000;

/** A Study API that keeps a ledger of what it has stored, and behaves as it is told for each write. */
export async function startStudyLedger(behave: Behavior): Promise<StudyLedger> {
  const arrived = new Set<string>();
  const stored = new Map<string, number>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { description } = JSON.parse(body) as { description: string };
      arrived.add(description);
      const store = (): string => {
        stored.set(description, (stored.get(description) ?? 0) + 1);
        return JSON.stringify({ ...wholeStudy, description });
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
