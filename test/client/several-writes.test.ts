import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
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

interface Row {
  readonly failure: string;
  /** How the Study API treats the fields `a`, `b` and `c` when they arrive first; `undefined` where there is no field. */
  readonly treatments: readonly Treatment[];
  /** What the Study API has stored in the end. */
  readonly stored: readonly string[];
}

const rows: readonly Row[] = [
  { failure: 'the second write met a 429', treatments: [success, wait], stored: ['a'] },
  { failure: 'the first write met a 429', treatments: [wait, success], stored: ['b'] },
  {
    failure: 'the last of three met a 429',
    treatments: [success, success, wait],
    stored: ['a', 'b'],
  },
  { failure: 'the middle of three went well', treatments: [wait, success, wait], stored: ['b'] },
  { failure: 'the answer to the first was lost', treatments: [lost, wait], stored: ['a'] },
  { failure: 'the answer to the second was lost', treatments: [wait, lost], stored: ['b'] },
  { failure: 'the second write was refused', treatments: [wait, refusal], stored: [] },
  { failure: 'all writes met a 429', treatments: [wait, wait, wait], stored: ['a', 'b', 'c'] },
];

async function startApi({ treatments }: Row) {
  const names = ['a', 'b', 'c'].slice(0, treatments.length);
  const api = await startStoringApi((name) => treatments[names.indexOf(name)] ?? success);
  return { ...api, fields: names.map(create) };
}

describe('a mutation of several writes, sent with the documented set-up,', () => {
  it.for(withEachSetUp(rows))('stores nothing twice when $failure, with $name', async (row) => {
    const { fields, stored, url: studyApiUrl } = await startApi(row);
    const { url } = await startTestGateway({ studyApiUrl });

    await row.run(url, parse(`mutation { ${fields.join(' ')} }`));

    expect(stored).toEqual(row.stored);
  });

  it.for(withEachSetUp(rows))(
    'stores nothing twice when $failure, with $name and an older gateway',
    async (row) => {
      const { fields, stored, url: studyApiUrl } = await startApi(row);
      const { url } = await startHop(judgeFieldsAlone, { studyApiUrl });

      await row.run(url, parse(`mutation { ${fields.join(' ')} }`));

      expect(stored).toEqual(row.stored);
    },
  );

  it.for(withEachSetUp(rows))(
    'stores nothing twice when $failure, with $name, a fragment and an older gateway',
    async (row) => {
      const { fields, stored, url: studyApiUrl } = await startApi(row);
      const { url } = await startHop(judgeFieldsAlone, { studyApiUrl });

      await row.run(url, parse(`mutation { ...A } fragment A on Mutation { ${fields.join(' ')} }`));

      // Without the data, nobody can tell whether the fields of the fragment have errors.
      const isHidden = row.name === 'urql' && row.failure === 'all writes met a 429';
      expect(stored).toEqual(isHidden ? [] : row.stored);
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
});

describe('the documented set-up', () => {
  it.for(setUps)('repeats a single write, with $name', async ({ run }) => {
    const api = await startStoringApi(() => wait);
    const { url } = await startTestGateway({ studyApiUrl: api.url });

    await run(url, parse(`mutation { __typename ${create('a')} }`));

    expect(api.stored).toEqual(['a']);
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
});
