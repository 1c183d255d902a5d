import { CombinedGraphQLErrors } from '@apollo/client';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { CreateStudyDocument, studyProblem } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { takeTurns } from '../support/retries.js';
import { startStoringApi, success, type Treatment } from '../support/storing-api.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';
import {
  changeErrors,
  cut,
  halve,
  judgeFieldsAlone,
  pass,
  startHop,
  toPage,
  toRetryable,
} from './hop.fixture.js';
import { inTurn } from './safe-writes.fixture.js';
import { createApolloClient, setUps, withEachSetUp } from './libraries.fixture.js';

const { id, projectId } = wholeStudy;
const create = (name: string) => `${name}: createStudy(input: { description: "${name}" }) { id }`;
const read = parse(`{ study(id: "${id}") { id } }`);

const losses = [
  { loss: 'the connection is cut', hop: cut },
  { loss: 'the answer ends in the middle', hop: halve },
  { loss: 'a proxy answers 502', hop: toPage(502) },
];

it.for(withEachSetUp(losses))(
  'repeats a read, and never a write, when $loss, with $name',
  async ({ run, hop }) => {
    const lossy = [await startHop(inTurn(hop)), await startHop(inTurn(hop))] as const;

    const written = await run(lossy[0].url, parse(`mutation { ${create('a')} }`));
    const shown = await run(lossy[1].url, read);

    expect(studyProblem(written).kind).toBe('unknown');
    expect(JSON.stringify(shown)).toContain(id);
    expect(lossy.map(({ requests }) => requests())).toEqual([1, 2]);
  },
);

const wait = (seconds: number) => answerJson({}, 429, { 'retry-after': String(seconds) });
const drop: Respond = (response) => response.destroy();

it.for([
  { failure: 'whose outcome is UNKNOWN', answer: drop },
  { failure: 'that met a 500', answer: answerJson({}, 500) },
  { failure: 'that was APPLIED', answer: answerJson({ id }) },
  { failure: 'that was refused', answer: answerJson({}, 403) },
  { failure: 'that would have to wait for more than 10 s', answer: wait(11) },
])('does not repeat a write $failure', async ({ answer }) => {
  const { url, calls } = await startTestGateway({ api: answer });
  const client = createApolloClient(url);
  const variables = { input: { description: 'Why?' } };

  const written = client.mutate({ mutation: CreateStudyDocument, variables });

  await expect(written).rejects.toThrow(CombinedGraphQLErrors);
  expect(calls).toHaveLength(1);
});

const refused: Treatment = { answer: answerJson({}, 429) };
const lost: Treatment = { answer: drop, stores: true };

/** How the Study API treats the fields `a`, `b` and `c` when they arrive first, and what it has stored in the end. */
const rows: readonly { failure: string; treatments: readonly Treatment[]; stored: string[] }[] = [
  {
    failure: 'the middle of three went well',
    treatments: [refused, success, refused],
    stored: ['b'],
  },
  { failure: 'the answer to the first was lost', treatments: [lost, refused], stored: ['a'] },
  {
    failure: 'the second was refused for good',
    treatments: [refused, { answer: answerJson({}, 422) }],
    stored: [],
  },
];

it.for(withEachSetUp(rows))(
  'stores nothing twice when $failure, with $name behind a router that judges each field alone',
  async ({ run, treatments, stored }) => {
    const names = ['a', 'b', 'c'].slice(0, treatments.length);
    const api = await startStoringApi((name) => treatments[names.indexOf(name)] ?? success);
    const { url } = await startHop(judgeFieldsAlone, { studyApiUrl: api.url });

    await run(url, parse(`mutation { ${names.map(create).join(' ')} }`));

    expect(api.stored).toEqual(stored);
  },
);

const twoCreates = parse(`mutation { ${create('a')} ${create('b')} }`);

it.for(setUps)('stores nothing twice when an error is missing, with $name', async ({ run }) => {
  const api = await startStoringApi((name) => (name === 'a' ? refused : lost));
  const dropError = changeErrors((errors) => errors.slice(0, 1).map(toRetryable));
  const { url } = await startHop(dropError, { studyApiUrl: api.url });

  await run(url, twoCreates);

  expect(api.stored).toEqual(['b']);
});

it.for(setUps)('repeats what the Study API asked to repeat, with $name', async ({ name, run }) => {
  const api = await startStoringApi(() => refused);
  const { url } = await startTestGateway({ studyApiUrl: api.url });

  await run(url, twoCreates);

  // urql hides the data of a response with errors: `b` could have written.
  expect(api.stored).toEqual(name === 'urql' ? [] : ['a', 'b']);
});

it.for(setUps)('repeats a mutation that was refused as a whole, with $name', async ({ run }) => {
  const api = await startStoringApi(() => success);
  const gateway = await startTestGateway({ studyApiUrl: api.url });
  const extensions = { code: 'RATE_LIMITED', outcome: 'NOT_SENT', retryable: true };
  // Stands for a gateway whose rate limit is exceeded once.
  const { url } = await startStudyApi(
    takeTurns(answerJson({ errors: [{ message: '', extensions }] }), (response, { body }) => {
      void gateway
        .post(body)
        .then((answer) => answer.text())
        .then((text) => pass(response, text));
    }),
  );

  await run(url, twoCreates);

  expect(api.stored).toEqual(['a', 'b']);
});

it.for(setUps)('repeats reads of which one went well, with $name', async ({ run }) => {
  const answerOther = takeTurns(wait(0), answerJson({ ...wholeStudy, id: projectId }));
  const { url, calls } = await startTestGateway({
    api: (...call) => (call[1].url.endsWith(id) ? answerJson(wholeStudy) : answerOther)(...call),
  });

  await run(url, parse(`{ a: study(id: "${id}") { id } b: study(id: "${projectId}") { id } }`));

  expect(calls).toHaveLength(4);
});
