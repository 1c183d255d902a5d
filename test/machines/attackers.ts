// Strangers and callers who want to exhaust the gateway's memory. Run by Node itself: `attackers.ts <url> <kind> <connections>
// <ms>`. Each connection that the gateway closes is opened again, until the time is over. Prints the statuses that it got.
import { connect, type Socket } from 'node:net';

const [url = '', kind = '', count = '1', ms = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const endsAt = performance.now() + Number(ms);
const statuses: Record<string, number> = {};
/** Largest body, a body whose bytes are free, and one of which 10,000 fit into the sum of all bodies. */
const BODY_BYTES = 262_144;
const FREE_BYTES = 4_096;
const SHARE_BYTES = 10_700;
const REOPEN_MS = 100;

const token = 'authorization: Bearer attacker';
const body = Buffer.alloc(BODY_BYTES, ' ');
const pages = 'abc'.replaceAll(/./g, '$&: studies(size: 100) { items { id description } } ');
/** Number of connections that are open, and its maximum. */
let opened = 0;
let mostOpened = 0;
const strings = JSON.stringify(Array.from({ length: 19_000 }, (_, index) => `s${index}`));

function toHead(length: number, ...headers: string[]): string {
  const fixed = [
    `host: ${hostname}`,
    'content-type: application/json',
    `content-length: ${length}`,
  ];
  return ['POST /graphql HTTP/1.1', ...fixed, ...headers, '', ''].join('\r\n');
}

const names = Array.from({ length: 19_900 }, (_, index) => `"k${index}":1`).join();

function toRequest(query: string, variables = '{}', extensions = '{}'): string {
  const text = `{"query":${JSON.stringify(query)},"variables":${variables},"extensions":${extensions}}`;
  return toHead(Buffer.byteLength(text), token) + text;
}

const create =
  'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id description } }';
const requests: Readonly<Record<string, string>> = {
  readers: toRequest(`{ ${pages} }`),
  answers: toRequest(create, '{"input":{"description":"big"}}'),
  lists: toRequest(create, `{"input":{"description":"slow","files":${strings}}}`),
  names: toRequest(create, '{"input":{"description":"slow"}}', `{${names}}`),
  variables: toRequest(create, `{"input":{"description":"slow"},${names}}`),
};

const begin: Readonly<Record<string, (socket: Socket) => void>> = {
  /** Sends a body but its last byte, without a token. */
  bodies(socket) {
    socket.write(toHead(BODY_BYTES));
    socket.write(body.subarray(1));
  },
  /** Sends a body but its last byte that finds room beside 10,000 others. */
  shares(socket) {
    socket.write(toHead(SHARE_BYTES));
    socket.write(body.subarray(0, SHARE_BYTES - 1));
  },
  /** Sends a body byte by byte, each in a segment of its own. */
  trickles(socket) {
    socket.setNoDelay(true).write(toHead(FREE_BYTES));
    const timer = setInterval(() => socket.write(' '), 3);
    socket.once('close', () => clearInterval(timer));
  },
  /** Asks for three pages of a hundred studies, and reads a byte a second. */
  readers(socket) {
    socket.pause().write(requests['readers']!);
    const timer = setInterval(() => socket.read(1), 1_000);
    socket.once('close', () => clearInterval(timer));
  },
  answers: (socket) => void socket.write(requests['answers']!),
  lists: (socket) => void socket.write(requests['lists']!),
  names: (socket) => void socket.write(requests['names']!),
  variables: (socket) => void socket.write(requests['variables']!),
  /** Leaves in the middle of the answer. */
  leavers(socket) {
    socket.write(requests['answers']!);
    socket.once('data', () => socket.destroy());
  },
};

function open(): void {
  const socket = connect(Number(port), hostname);
  socket
    .on('error', () => {})
    .once('connect', () => {
      opened += 1;
      mostOpened = Math.max(mostOpened, opened);
      socket.once('close', () => (opened -= 1));
      begin[kind]!(socket);
    });
  if (kind !== 'readers')
    socket.on('data', (data: Buffer) => {
      const status = /^HTTP\/1.1 (\d+)/.exec(data.toString('latin1'))?.[1];
      if (status === undefined) return;
      statuses[status] = (statuses[status] ?? 0) + 1;
      // The next one on this connection.
      if (status === '200' && kind !== 'leavers') setImmediate(() => begin[kind]!(socket));
    });
  socket.once('close', () => {
    if (performance.now() < endsAt) setTimeout(open, REOPEN_MS);
  });
}

// In groups: the kernel's queue of new connections is finite.
for (let index = 0; index < Number(count); index += 1) setTimeout(open, index / 4);
setTimeout(() => {
  console.log(JSON.stringify({ mostOpened, ...statuses }));
  process.exit();
}, Number(ms));
