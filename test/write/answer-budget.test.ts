import { once } from 'node:events';
import {
  request,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import {
  createStudy,
  run,
  study,
  toFailedResponse,
  toRequestBody,
  type Failure,
} from '../support/operations.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';
import { wholeStudy, respell } from '../support/studies.js';

vi.setConfig({ testTimeout: 20_000 });

const LONG = 100_000;
const long = JSON.stringify({ ...wholeStudy, description: 'x'.repeat(LONG) });
/** Settings whose memory budget has room for one long response, but not for two. */
const roomForOne = { maxAnswerBytes: 150_000, answerBudgetBytes: 150_000 };
const aLongStudy = { data: { createStudy: { ...wholeStudy, description: 'x'.repeat(LONG) } } };

const json = { 'content-type': 'application/json' };
const whole = { ...json, 'content-length': String(long.length) };

const noRoom: Failure = {
  reason:
    'The gateway had no room in memory for the answer of the Study API. ' +
    'It has at most 24,010,000 bytes for all long answers, which is the limit.',
  code: 'OVERLOADED',
  // The first bytes of the answer came with its headers, and show the id.
  outcome: 'APPLIED',
  studyId: wholeStudy.id,
  retryable: { write: false, read: true },
  upstreamStatus: 201,
};

/** Starts a gateway whose whole memory budget is taken by the half-read response of the call `first`. */
async function startWithoutRoom(options: object, respond: Respond) {
  const half = Promise.withResolvers<ServerResponse>();
  const api = await startStudyApi((response, call, req) => {
    if (api.calls.length > 1) return respond(response, call, req);
    response.writeHead(201, whole).write(long.slice(0, 70_000), () => half.resolve(response));
  });
  const gateway = await startTestGateway({ ...roomForOne, ...options, studyApiUrl: api.url });
  const first = run(gateway, createStudy);
  const response = await half.promise;
  // The response to this query proves that the gateway has read the bytes that the Study API sent before.
  await gateway.graphql('{ __typename }');
  return { api, gateway, first, finish: () => void response.end(long.slice(70_000)) };
}

it.each([
  {
    what: 'whose length is declared',
    respond: ((response) => response.writeHead(201, whole).end(long)) as Respond,
  },
  {
    what: 'in chunks',
    respond: ((response) => response.writeHead(201, json).end(long)) as Respond,
  },
  {
    what: 'in an encoding, however short',
    respond: ((response) =>
      response
        .writeHead(201, { ...json, 'content-encoding': 'gzip' })
        .end(gzipSync(long))) as Respond,
  },
])(
  'reads a response $what once there is room for it, and short responses meanwhile',
  async (case_) => {
    let respond = case_.respond;
    const { api, gateway, first, finish } = await startWithoutRoom({}, (...args) =>
      respond(...args),
    );
    const ended: string[] = [];
    const second = run(gateway, createStudy).finally(() => ended.push('second'));
    await expect.poll(() => api.calls.length, { interval: 5 }).toBe(2);
    respond = answerJson(wholeStudy);

    for (let reads = 0; reads < 5; reads += 1)
      expect((await run(gateway, study)).body).toEqual({ data: { study: wholeStudy } });

    expect(ended).toEqual([]);
    finish();
    expect((await first).body).toEqual(aLongStudy);
    expect((await second).body).toEqual(aLongStudy);
  },
);

/** Length of a description. Exceeds the socket buffers, so the gateway must hold it while the client does not read. */
const HUGE = 24_000_000;
const roomForHuge = {
  maxAnswerBytes: HUGE + 10_000,
  answerBudgetBytes: HUGE + 10_000,
  // Long, because the gateway holds the response to a client that does not read until this timeout.
  requestTimeoutMs: 600_000,
};

/** Creates a study as a client that reads only the headers of its response. Returns a function that disconnects. */
async function createHuge(gateway: TestGateway): Promise<() => void> {
  const client = request(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}` },
  });
  client.on('error', () => {});
  client.end(toRequestBody(createStudy));
  const [response] = (await once(client, 'response')) as [IncomingMessage];
  response.on('error', () => {}).pause();
  return () => void response.destroy();
}

it('reports the true outcome when a response finds no room before the deadline, and recovers when there is room', async () => {
  const huge = JSON.stringify({ ...wholeStudy, description: 'x'.repeat(HUGE) });
  const detail = [{ loc: ['body', 'description'], msg: 'x'.repeat(LONG) }];
  let [status, body] = [201, huge];
  const gateway = await startTestGateway({
    ...roomForHuge,
    deadlineMs: 2_000,
    api: (response) => response.writeHead(status, json).end(body),
  });
  const leave = await createHuge(gateway);

  body = long;
  const calls = await Promise.all([
    run(gateway, study),
    ...Array.from({ length: 30 }, () => run(gateway, createStudy)),
  ]);
  [status, body] = [422, JSON.stringify({ detail })];
  const rejected = await run(gateway, createStudy);

  const [read, ...written] = calls;
  expect(read.body).toEqual(toFailedResponse(study, read, noRoom));
  for (const answer of written)
    expect(answer.body).toEqual(toFailedResponse(createStudy, answer, noRoom));
  expect(rejected.body).toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT', outcome: 'REJECTED', upstreamStatus: 422 } }],
  });

  // Proves that the failures did not open the circuit.
  [status, body] = [201, long];
  const waiting = run(gateway, createStudy);
  await expect.poll(() => gateway.calls.length, { interval: 5 }).toBe(33);
  leave();
  expect((await waiting).body).toEqual(aLongStudy);
});

it('reads all responses of one operation that fit together, even if their maximum sizes do not', async () => {
  const fields = Array.from(
    { length: 12 },
    (_, index) => `r${index}: study(id: "${respell(wholeStudy.id, index)}") { id }`,
  );
  const gateway = await startTestGateway({
    maxAnswerBytes: 1_000_000,
    answerBudgetBytes: 2_500_000,
    // Without a Content-Length, each response reserves the maximum, a million bytes, until it has been read.
    api: (response) => response.writeHead(200, json).end(long),
  });

  const told = await gateway.graphql(`{ ${fields.join(' ')} }`);

  const ids = Object.fromEntries(fields.map((_, index) => [`r${index}`, { id: wholeStudy.id }]));
  expect(told).toEqual({ data: ids });
});

it('refuses the second long answer of an operation where it has no room, and never waits without end', async () => {
  const fields = ['a', 'b'].map((alias) => `${alias}: createStudy(input: {}) { id }`).join(' ');
  const gateway = await startTestGateway({
    ...roomForOne,
    answerBudgetBytes: 250_000,
    // Longer than the test's timeout, so that a deadlock fails the test.
    deadlineMs: 600_000,
    api: (response) => response.writeHead(201, whole).end(long),
  });

  const told = await Promise.all(
    Array.from({ length: 20 }, () => gateway.graphql(`mutation { ${fields} }`)),
  );

  expect(told).toContainEqual({ data: { a: { id: wholeStudy.id }, b: { id: wholeStudy.id } } });
  for (const { data, errors = [] } of told) {
    expect(data).toMatchObject({ a: { id: wholeStudy.id } });
    for (const { extensions } of errors)
      expect(extensions).toMatchObject({ code: 'OVERLOADED', outcome: 'APPLIED' });
  }
  expect(gateway.calls).toHaveLength(40);
});

const READS = 8;
const reads = `{ ${Array.from({ length: READS }, (_, index) => `r${index}: study(id: "${respell(wholeStudy.id, index)}") { id }`).join(' ')} }`;

/** Sends the second halves of `count` responses only when the first halves of all have been sent. */
function answerTogether(headers: OutgoingHttpHeaders, count = READS): Respond {
  const halves: ServerResponse[] = [];
  return (response) =>
    void response.writeHead(200, headers).write(long.slice(0, 70_000), () => {
      if (halves.push(response) % count > 0) return;
      for (const half of halves.splice(0)) half.end(long.slice(70_000));
    });
}

it('reads the responses of one operation together when they fit, even if their maximum sizes do not', async () => {
  const gateway = await startTestGateway({
    // Without a Content-Length, each response reserves the maximum, a megabyte, until it has been read.
    maxAnswerBytes: 1_000_000,
    answerBudgetBytes: 2_000_000,
    api: answerTogether(json),
  });

  const { data, errors } = await gateway.graphql(reads);

  expect(errors).toBeUndefined();
  const answers = Object.values(data ?? {});
  expect(answers).toEqual(answers.map(() => ({ id: wholeStudy.id })));
  expect(answers).toHaveLength(READS);
});

it('reads all responses of two queries whose maximum sizes do not fit together, one query after the other', async () => {
  const gateway = await startTestGateway({
    // All responses of one query fit in the maximum of one response. The first halves of both queries exceed the budget.
    maxAnswerBytes: 900_000,
    answerBudgetBytes: 1_000_000,
    // Longer than the test's timeout, so that a deadlock fails the test.
    deadlineMs: 600_000,
    api: answerTogether(whole, 2 * READS),
  });

  const told = await Promise.all([gateway.graphql(reads), gateway.graphql(reads)]);

  const ids = Array.from({ length: READS }, (_, index) => [`r${index}`, { id: wholeStudy.id }]);
  const data = Object.fromEntries(ids);
  expect(told).toEqual([{ data }, { data }]);
});

it('refuses at once the responses of one operation that exceed the whole memory budget', async () => {
  const gateway = await startTestGateway({
    ...roomForOne,
    deadlineMs: 600_000,
    api: answerTogether(whole),
  });

  const { data, errors = [] } = await gateway.graphql(reads);

  expect(Object.values(data ?? {}).filter(Boolean)).toEqual([{ id: wholeStudy.id }]);
  expect(errors).toEqual(
    Array(READS - 1).fill(
      expect.objectContaining({
        extensions: expect.objectContaining({ code: 'OVERLOADED', retryable: true }),
      }),
    ),
  );
  // The budget is free again as soon as the response has been sent.
  const again = await gateway.graphql(reads);
  expect(Object.values(again.data ?? {}).filter(Boolean)).toEqual([{ id: wholeStudy.id }]);
});

it('releases the memory of every call, however the call ends', async () => {
  const endings: Respond[] = [
    (response) => response.writeHead(201, whole).end(long),
    (response) => response.writeHead(201, json).end(long),
    (response) => response.writeHead(201, json).end(`[${long}]`),
    (response) => response.writeHead(422, json).end(long),
    (response) => response.writeHead(503, whole).end(long),
    (response) => response.writeHead(201, json).end('x'.repeat(200_000)),
    (response) => response.writeHead(201, { ...whole, 'content-length': '200000' }).end(),
    (response) => {
      response.writeHead(201, whole).write(long.slice(0, 70_000), () => response.destroy());
    },
    (response) =>
      response.writeHead(201, { ...json, 'content-encoding': 'gzip' }).end('this is no gzip'),
    (response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end(),
    (response) => response.writeHead(201, whole).write(long.slice(0, 70_000)),
  ];
  const api = await startStudyApi((...args) => endings[api.calls.length - 1]?.(...args));
  const options = { ...roomForOne, deadlineMs: 1_000 };
  const gateway = await startTestGateway({ ...options, studyApiUrl: api.url });
  for (const [index] of endings.entries()) {
    await run(gateway, createStudy);
    expect(api.calls).toHaveLength(index + 1);
  }
  endings.push(endings[0]!);

  expect((await run(gateway, createStudy)).body).toEqual(aLongStudy);
});

it('withdraws the memory claim of a compressed error response whose deadline passes while it waits', async () => {
  const gzipped = gzipSync(long);
  const { api, gateway, first, finish } = await startWithoutRoom(
    { deadlineMs: 1_500 },
    (response) => {
      const isRefusal = api.calls.length === 2;
      const headers = { ...json, 'content-encoding': 'gzip', 'content-length': gzipped.length };
      response.writeHead(isRefusal ? 503 : 201, isRefusal ? headers : whole);
      response.end(isRefusal ? gzipped : long);
    },
  );

  const refused = await run(gateway, createStudy);
  await first;
  finish();

  expect(refused.body).toMatchObject({
    errors: [{ extensions: { code: 'UPSTREAM_ERROR', outcome: 'UNKNOWN', upstreamStatus: 503 } }],
  });
  expect((await run(gateway, createStudy)).body).toEqual(aLongStudy);
});
