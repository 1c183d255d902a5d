import { expect, it } from 'vitest';
import { toStudy } from '../../src/study/study.wire.js';
import { createScratchCopy } from '../support/scratch-copy.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

const { planId, ...others } = wholeStudy;

it(
  'can each be changed in one line, which names the field on the wire',
  { timeout: 120_000 },
  async () => {
    const answers = [{ ...others, plan_id: planId }, { ...others, plan_id: 7 }, wholeStudy];
    const api = await startStudyApi((...exchange) => answerJson(answers.shift())(...exchange));
    const copy = createScratchCopy();
    copy.edit('src/study/study.wire.ts', (source) => {
      const names = 'wireNames: Readonly<Record<string, string>> = {}';
      expect(source.split(names)).toHaveLength(2);
      return source.replace(names, names.replace('{}', "{ planId: 'plan_id' }"));
    });
    const { url, output } = await copy.start(api.url);
    const createStudy = async (): Promise<unknown> => {
      const query = 'mutation { createStudy(input: {}) { id planId description } }';
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer t' },
        body: JSON.stringify({ query }),
      });
      return response.json();
    };
    const { id, description } = wholeStudy;
    const broken = (received: string): object => ({
      data: { createStudy: { id, planId: null, description } },
      errors: [
        expect.objectContaining({
          message: `The Study API answered "plan_id" with ${received} where a string or null was expected.`,
          path: ['createStudy', 'planId'],
        }),
      ],
    });

    expect(await createStudy()).toEqual({ data: { createStudy: { id, planId, description } } });
    expect(output()).not.toContain('differs from its contract');
    expect(await createStudy()).toEqual(broken('a number'));
    expect(await createStudy()).toEqual(broken('nothing'));
    // Drift is logged with the names of fields on the wire.
    await expect.poll(output).toMatch(/"field":"planId","expected":"nothing"/);
    expect(output()).toMatch(
      /"field":"plan_id","expected":"a string or null","received":"a number"/,
    );
  },
);

it('cost nothing if they equal the names in GraphQL: the answer itself is the study', () => {
  expect(toStudy(wholeStudy, () => {})).toBe(wholeStudy);
});
