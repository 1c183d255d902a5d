import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { takeTurns } from '../support/retries.js';
import { startStoringApi, success, type Treatment } from '../support/storing-api.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { changeErrors, judgeFieldsAlone, pass, startHop, toRetryable } from './hop.fixture.js';
import { setUps, withEachSetUp } from './set-ups.fixture.js';

const wait: Treatment = { answer: answerJson({}, 429) };
const lost: Treatment = { answer: (response) => response.destroy(), stores: true };
const refusal: Treatment = { answer: answerJson({}, 422) };

const { id, projectId } = wholeStudy;
const overLimit = {
  errors: [
    {
      message: 'Over the limit.',
      extensions: { code: 'RATE_LIMITED', outcome: 'NOT_SENT', retryable: true },
    },
  ],
};

const create = (name: string) => `${name}: createStudy(input: { description: "${name}" }) { id }`;

/** How the Study API treats the fields `a`, `b` and `c` when they arrive first, and what it has stored in the end. */
const rows: readonly { failure: string; treatments: readonly Treatment[]; stored: string[] }[] = [
  { failure: 'the second write met a 429', treatments: [success, wait], stored: ['a'] },
  { failure: 'the middle of three went well', treatments: [wait, success, wait], stored: ['b'] },
  { failure: 'the answer to the first was lost', treatments: [lost, wait], stored: ['a'] },
  { failure: 'the answer to the second was lost', treatments: [wait, lost], stored: ['b'] },
  { failure: 'the second write was refused', treatments: [wait, refusal], stored: [] },
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

it.for(setUps)('stores nothing twice when an error is missing, with $name', async ({ run }) => {
  const api = await startStoringApi((name) => (name === 'a' ? wait : lost));
  const { url } = await startHop(
    changeErrors((errors) => errors.slice(0, 1).map(toRetryable)),
    { studyApiUrl: api.url },
  );

  await run(url, parse(`mutation { ${create('a')} ${create('b')} }`));

  expect(api.stored).toEqual(['b']);
});

it.for(setUps)('repeats what is safe to repeat, with $name', async ({ name, run }) => {
  const api = await startStoringApi(() => wait);
  const { url } = await startTestGateway({ studyApiUrl: api.url });

  await run(url, parse(`mutation { ${create('a')} ${create('b')} }`));

  // urql hides the data of a response with errors: `b` could have written.
  expect(api.stored).toEqual(name === 'urql' ? [] : ['a', 'b']);
});

it.for(setUps)('repeats a mutation that was refused as a whole, with $name', async ({ run }) => {
  const api = await startStoringApi(() => success);
  const gateway = await startTestGateway({ studyApiUrl: api.url });
  // Stands for a gateway whose rate limit is exceeded once.
  const { url } = await startStudyApi(
    takeTurns(answerJson(overLimit), (response, { body }) => {
      void gateway
        .post(body)
        .then((answer) => answer.text())
        .then((text) => pass(response, text));
    }),
  );

  await run(url, parse(`mutation { ${create('a')} ${create('b')} }`));

  expect(api.stored).toEqual(['a', 'b']);
});

it.for(setUps)('repeats reads of which one went well, with $name', async ({ run }) => {
  const other = answerJson({ ...wholeStudy, id: projectId });
  const answerOther = takeTurns(answerJson({}, 429), other);
  const { url, calls } = await startTestGateway({
    api: (...call) => (call[1].url.endsWith(id) ? answerJson(wholeStudy) : answerOther)(...call),
  });

  await run(url, parse(`{ a: study(id: "${id}") { id } b: study(id: "${projectId}") { id } }`));

  expect(calls).toHaveLength(4);
});
