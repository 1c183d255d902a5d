import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { toHead } from '../support/faults.js';
import type { Arrival, Misbehavior } from '../support/ledger.js';

export type Told = 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN' | 'a study';

type End = (socket: Socket) => void;
export const ends: readonly { how: string; end: End }[] = [
  { how: 'FIN', end: (socket) => void socket.resume().end() },
  { how: 'RST', end: (socket) => void socket.resetAndDestroy() },
];

/** Stores the write, sends the text of `toText` over the socket, and then ends the connection by `end`. */
export function storeAndCut(end: End, toText: (study: object) => string): Misbehavior {
  return { onBody: ({ socket, store }) => socket.write(toText(store()), () => end(socket)) };
}

export interface Row {
  readonly when: string;
  readonly server: Misbehavior;
  readonly told: Told;
  readonly stored: 0 | 1;
}

export const json = 'content-type: application/json';
const head = toHead('200 OK', [json, 'content-length: 1000']);

const cuts = ends.flatMap(({ how, end }): Row[] => [
  {
    when: `${how} before the headers were read`,
    server: { onConnection: end },
    told: 'UNKNOWN',
    stored: 0,
  },
  {
    when: `${how} after the headers`,
    server: { onHeaders: ({ socket }) => end(socket) },
    told: 'UNKNOWN',
    stored: 0,
  },
  {
    when: `${how} after the body, before storing`,
    server: { onBody: ({ socket }) => end(socket) },
    told: 'UNKNOWN',
    stored: 0,
  },
  {
    when: `${how} after storing`,
    server: {
      onBody: ({ socket, store }) => {
        store();
        end(socket);
      },
    },
    told: 'UNKNOWN',
    stored: 1,
  },
  {
    when: `${how} after the headers of the answer`,
    server: storeAndCut(end, () => head),
    told: 'UNKNOWN',
    stored: 1,
  },
  {
    when: `${how} after the id of the answer`,
    server: storeAndCut(end, (study) => head + JSON.stringify(study).slice(0, 100)),
    told: 'APPLIED',
    stored: 1,
  },
]);

/** Stores the write, then sends one space every 10 ms until the connection closes. */
function drip({ socket, store }: Arrival): void {
  store();
  socket.write(head);
  const timer = setInterval(() => socket.write(' '), 10);
  socket.once('close', () => clearInterval(timer));
}

const silences: readonly Row[] = [
  { when: 'a silence before storing', server: { onBody: () => {} }, told: 'UNKNOWN', stored: 0 },
  {
    when: 'a silence, and storing when nobody waits any more',
    server: { onBody: ({ socket, store }) => void socket.once('close', store) },
    told: 'UNKNOWN',
    stored: 1,
  },
  {
    when: 'a silence after storing',
    server: { onBody: ({ store }) => void store() },
    told: 'UNKNOWN',
    stored: 1,
  },
  {
    when: 'an answer that stalls after its id',
    server: { onBody: ({ socket, store }) => void socket.write(head + JSON.stringify(store())) },
    told: 'APPLIED',
    stored: 1,
  },
  {
    when: 'an answer that drips without end',
    server: { onBody: drip },
    told: 'UNKNOWN',
    stored: 1,
  },
];

/** Returns two servers that answer with the same response: one before it stores the write, one after. */
function answer(status: number, body: string | Buffer = '', headers: object = {}) {
  return {
    before: {
      onBody: ({ response }: Arrival) => void response.writeHead(status, { ...headers }).end(body),
    },
    after: {
      onBody: ({ response, store }: Arrival) => {
        store();
        response.writeHead(status, { ...headers }).end(body);
      },
    },
  };
}

/** Answers with the study after these responses of 1xx. */
function answerAfter(...lines: readonly string[]): Misbehavior {
  return {
    onBody: ({ socket, store }) => {
      const study = JSON.stringify(store());
      const length = `content-length: ${Buffer.byteLength(study)}`;
      socket.write(lines.map((line) => toHead(line)).join('') + toHead('200 OK', [length], study));
    },
  };
}

const informational: readonly Row[] = [
  // undici takes a 100 Continue that it has not asked for, and a 101, for a broken connection.
  {
    when: '100 before the answer',
    server: answerAfter('100 Continue'),
    told: 'UNKNOWN',
    stored: 1,
  },
  {
    when: '101 before the answer',
    server: answerAfter('101 Switching Protocols'),
    told: 'UNKNOWN',
    stored: 1,
  },
  {
    when: '102 and 103 before the answer',
    server: answerAfter('102 Processing', '103 Early Hints'),
    told: 'a study',
    stored: 1,
  },
];

const statuses = [
  ...[408, 460, 499, 500, 502, 503, 504].flatMap((status): Row[] => [
    { when: `${status} before storing`, server: answer(status).before, told: 'UNKNOWN', stored: 0 },
    { when: `${status} after storing`, server: answer(status).after, told: 'UNKNOWN', stored: 1 },
  ]),
  ...[400, 401, 403, 404, 409, 422, 429].map((status): Row => ({
    when: String(status),
    server: answer(status).before,
    told: 'REJECTED',
    stored: 0,
  })),
  ...[303, 307].flatMap((status): Row[] => {
    const { before, after } = answer(status, '', { location: '/studies' });
    return [
      { when: `${status} before storing`, server: before, told: 'UNKNOWN', stored: 0 },
      { when: `${status} after storing`, server: after, told: 'UNKNOWN', stored: 1 },
    ];
  }),
];

/** Answers that show no study: the Study API may have sent them after storing, or something else in its place. */
const unreadable: readonly (readonly [string, number, string | Buffer, object?])[] = [
  ['an empty body', 200, ''],
  ['an empty 202', 202, ''],
  ['bad JSON', 200, '{"id":"0b9d'],
  ['bad gzip', 200, '{"id":"0b9d1f2a"}', { 'content-encoding': 'gzip' }],
  ['cut gzip', 200, gzipSync('{}'.padEnd(99)).subarray(0, -9), { 'content-encoding': 'gzip' }],
  ['a JSON array', 200, '[{}]'],
  ['null', 200, 'null'],
  ['an object without id', 200, '{"description":"Why?"}'],
  ['a refusal with 200', 200, '{"success":false,"error":"quota exceeded"}'],
  ['a 202 that promises', 202, '{"status":"queued"}'],
];
/** Responses that a proxy in front of the Study API may have sent instead of the API. */
const pages = ['text/html', 'text/plain'].flatMap((type): Row[] => {
  const { before, after } = answer(200, 'Please log in.', { 'content-type': type });
  return [
    { when: `${type} with 200 before storing`, server: before, told: 'UNKNOWN', stored: 0 },
    { when: `${type} with 200 after storing`, server: after, told: 'UNKNOWN', stored: 1 },
  ];
});

export const rows: readonly Row[] = [
  { when: 'a whole answer', server: {}, told: 'a study', stored: 1 },
  ...cuts,
  ...silences,
  ...informational,
  ...statuses,
  ...unreadable.flatMap(([when, status, body, headers]): Row[] => {
    const { before, after } = answer(status, body, headers);
    return [
      { when: `${when} before storing`, server: before, told: 'UNKNOWN', stored: 0 },
      { when: `${when} after storing`, server: after, told: 'UNKNOWN', stored: 1 },
    ];
  }),
  // RFC 9110 says of both that the request has been fulfilled.
  ...[201, 204].map((status): Row => ({
    when: `${status} without a body`,
    server: answer(status).after,
    told: 'APPLIED',
    stored: 1,
  })),
  ...pages,
];
