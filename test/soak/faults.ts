import { answerStudy as answer, type Arrival } from '../support/ledger.js';

export type Behavior = (write: Arrival) => void;

const json = { 'content-type': 'application/json' };

function answerAfter(ms: number): Behavior {
  return (write) => void setTimeout(() => answer(write), ms);
}

function reset({ socket }: Arrival): void {
  socket.resetAndDestroy();
}

const faults: readonly Behavior[] = [
  reset,
  (write) => {
    write.store();
    reset(write);
  },
  ({ response }) => void response.writeHead(503, json).end('{}'),
  ({ response, store }) => void response.writeHead(500, json).end(JSON.stringify(store())),
  ({ response }) => void response.writeHead(422, json).end('{"detail":[]}'),
  // Sends half of the response, then resets the connection.
  (write) => {
    const body = JSON.stringify(write.store());
    write.response.writeHead(200, { ...json, 'content-length': body.length * 2 });
    write.response.write(body, () => reset(write));
  },
  ({ response, store }) => {
    response.end(JSON.stringify(store()).slice(1));
  },
];

/** Stores the write and never answers, so that the gateway's deadline ends the call. */
const hang: Behavior = ({ store }) => void store();

/** Mixes fast and slow responses with all faults. Fewer than half of the calls fail, so the circuit stays closed. */
export function createFaultMix({ hangs }: { readonly hangs: boolean }): Behavior {
  const wrong = hangs ? [...faults, hang] : faults;
  let count = 0;
  return (write) => {
    count++;
    if (count % 4 === 0) return wrong[(count / 4) % wrong.length]!(write);
    return count % 7 === 0 ? answerAfter(count % 50)(write) : answer(write);
  };
}
