import { expect, it, onTestFinished } from 'vitest';
import { createStudy, run, toFailedResponse, type Failure } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';
import { wholeStudy, respell } from '../support/studies.js';

const LONG = 100_000;
const long = JSON.stringify({ ...wholeStudy, description: 'x'.repeat(LONG) });
const aLongStudy = { data: { createStudy: { ...wholeStudy, description: 'x'.repeat(LONG) } } };
/** The first 64 KiB of an operation's answers are free, so this is room for one long answer, but not for two. */
const roomForOne = { maxAllAnswersBytes: 40_000 };

const json = { 'content-type': 'application/json' };
const whole = { ...json, 'content-length': String(long.length) };
const SENT = 90_000;

const noRoom: Failure = {
  reason: 'The gateway had no room in memory for the answer of the Study API.',
  code: 'OVERLOADED',
  // The first bytes of the answer show the id.
  outcome: 'APPLIED',
  studyId: wholeStudy.id,
  retryable: { write: false, read: true },
  upstreamStatus: 201,
};

/** Starts a gateway that holds most of one long answer, and so has no room for another one. */
async function startWithoutRoom(respond: Respond) {
  const half = Promise.withResolvers<() => void>();
  const api = await startStudyApi((response, call, req) => {
    if (api.calls.length > 1) return respond(response, call, req);
    response.writeHead(201, whole).write(long.slice(0, SENT), () => {
      half.resolve(() => void response.end(long.slice(SENT)));
    });
  });
  const gateway = await startTestGateway({ ...roomForOne, studyApiUrl: api.url });
  const first = run(gateway, createStudy);
  const finish = await half.promise;
  onTestFinished(finish);
  // The response to this query proves that the gateway has read the bytes that the Study API sent before.
  await gateway.graphql('{ __typename }');
  return { gateway, first, finish };
}

it.each<[string, Respond]>([
  ['whose length is declared', (response) => response.writeHead(201, whole).end(long)],
  ['in chunks', (response) => response.writeHead(201, json).end(long)],
])('tells what was seen of a write when there is no room for its answer %s', async (_, respond) => {
  const { gateway, first, finish } = await startWithoutRoom(respond);

  const second = await run(gateway, createStudy);

  expect(second.body).toEqual(toFailedResponse(createStudy, second, noRoom));
  finish();
  expect((await first).body).toEqual(aLongStudy);
  expect((await run(gateway, createStudy)).body).toEqual(aLongStudy);
});

it('says UNKNOWN of a write if the part of its answer that was read shows no id', async () => {
  const { description, ...others } = JSON.parse(long);
  const last = JSON.stringify({ description, ...others });
  const { gateway } = await startWithoutRoom((response) => response.writeHead(200, json).end(last));

  const { body } = await run(gateway, createStudy);

  expect(body).toMatchObject({
    data: { createStudy: null },
    errors: [{ extensions: { code: 'OVERLOADED', outcome: 'UNKNOWN', retryable: false } }],
  });
});

it('reads a refusal, and answers of up to 64 KiB, when there is no room', async () => {
  const detail = [{ loc: ['body', 'description'], msg: 'x'.repeat(LONG) }];
  let respond = answerJson({ detail }, 422);
  const { gateway } = await startWithoutRoom((...args) => respond(...args));

  expect((await run(gateway, createStudy)).body).toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT', outcome: 'REJECTED', upstreamStatus: 422 } }],
  });
  const short = { ...wholeStudy, description: 'x'.repeat(60_000) };
  respond = answerJson(short);
  expect((await run(gateway, createStudy)).body).toEqual({ data: { createStudy: short } });
});

it('counts the answers of an operation together until its response is made, and then gives them back', async () => {
  const fields = ['a', 'b'].map((alias) => `${alias}: createStudy(input: {}) { id }`).join(' ');
  const gateway = await startTestGateway({
    ...roomForOne,
    api: (response) => response.writeHead(201, whole).end(long),
  });

  for (let times = 0; times < 3; times += 1)
    expect(await gateway.graphql(`mutation { ${fields} }`)).toMatchObject({
      data: { a: { id: wholeStudy.id }, b: null },
      errors: [{ path: ['b'], extensions: { code: 'OVERLOADED', outcome: 'APPLIED' } }],
    });
  const reads = Array.from(
    { length: 8 },
    (_, index) => `r${index}: study(id: "${respell(wholeStudy.id, index)}") { id }`,
  );
  const { data } = await gateway.graphql(`{ ${reads.join(' ')} }`);
  expect(Object.values(data ?? {}).filter(Boolean)).toEqual([{ id: wholeStudy.id }]);
});

it('gives the bytes of a failed call back before its operation ends', async () => {
  const fields = ['a', 'b'].map((alias) => `${alias}: createStudy(input: {}) { id }`).join(' ');
  const answers = [`[${long}]`, long];
  const gateway = await startTestGateway({
    ...roomForOne,
    api: (response) => response.writeHead(201, json).end(answers.shift()),
  });

  expect(await gateway.graphql(`mutation { ${fields} }`)).toMatchObject({
    data: { a: null, b: { id: wholeStudy.id } },
    errors: [{ path: ['a'], extensions: { code: 'UPSTREAM_CONTRACT' } }],
  });
});
