import { expect, it } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
} from '../../client/generated/operations.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

const { id } = wholeStudy;

/** Returns the logged drift, as lines of field, expected type and received type. */
function drift({ log }: TestGateway): string[] {
  return log
    .filter(({ msg }) => msg === 'the Study API differs from its contract')
    .map((line) => [line['field'], line['expected'], line['received']].join(' | '));
}

/** Answers each call with the next study, and all calls after the last study with the last one. */
function answerInTurn(...studies: readonly object[]): Respond {
  let turn = 0;
  return (...exchange) => answerJson(studies[Math.min(turn++, studies.length - 1)])(...exchange);
}

it('is not logged while answers conform to the contract', async () => {
  const gateway = await startTestGateway();

  await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(drift(gateway)).toEqual([]);
});

it('is logged as a warning, by field name and types', async () => {
  const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, language: 7 }) });

  await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(gateway.log.filter(({ level }) => Number(level) > 30)).toEqual([
    {
      level: 40,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      field: 'language',
      expected: 'a string or null',
      received: 'a number',
      msg: 'the Study API differs from its contract',
    },
  ]);
});

it('is logged whether or not the field is selected', async () => {
  const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, files: null }) });

  const result = await gateway.graphql('mutation { createStudy(input: {}) { id } }');

  expect(result).toEqual({ data: { createStudy: { id } } });
  expect(drift(gateway)).toEqual(['files | an array of strings | null']);
});

it('is logged once for each kind, whatever the operation', async () => {
  const first = { ...wholeStudy, language: 7, progress: { total: '7' }, more: 1 };
  const gateway = await startTestGateway({
    api: answerInTurn(first, first, first, { ...first, language: 8, more: 2 }),
  });

  await gateway.graphql(CreateStudyDocument, { input: {} });
  await gateway.graphql(CreateStudyDocument, { input: {} });
  await gateway.graphql(EditStudyDocument, { id, input: {} });
  await gateway.graphql(StudyDocument, { id });

  expect(drift(gateway).toSorted()).toEqual([
    'language | a string or null | a number',
    'more | nothing | a number',
    'progress.total | a 32-bit integer or null | a string',
  ]);
});

it.each([
  ['beside what is known', { total: 2, completed: 1, failed: 0, percent: 50 }],
  ['alone', { percent: 50 }],
  ['beside a field that is broken', { total: '2', percent: 50 }],
])('is logged for an unknown field of progress, %s', async (_, progress) => {
  const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, progress }) });

  await gateway.graphql('mutation { createStudy(input: {}) { id } }');

  expect(drift(gateway)).toContain('progress.percent | nothing | a number');
});

it.each([null, undefined, 'text', ['an item']])(
  'is not logged for the parts of a progress that is %j',
  async (progress) => {
    const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, progress }) });

    await gateway.graphql(CreateStudyDocument, { input: {} });

    expect(drift(gateway).filter((kind) => kind.startsWith('progress.'))).toEqual([]);
  },
);

it('is logged again when the same field differs in another way', async () => {
  const gateway = await startTestGateway({
    api: answerInTurn(
      { ...wholeStudy, language: 7, more: 1 },
      { ...wholeStudy, language: [], more: {} },
      { ...wholeStudy, language: 8, more: 2 },
    ),
  });

  for (const description of ['1', '2', '3'])
    await gateway.graphql(CreateStudyDocument, { input: { description } });

  expect(drift(gateway).toSorted()).toEqual([
    'language | a string or null | a number',
    'language | a string or null | an array',
    'more | nothing | a number',
    'more | nothing | an object',
  ]);
});

it.each([
  ['null', 'null'],
  ['false', 'a boolean'],
  ['0', 'a number'],
  ['""', 'a string'],
  ['[]', 'an array'],
  ['{}', 'an object'],
])('names the type of an unknown field that is %s', async (value, received) => {
  const body = `{"more":${value},${JSON.stringify(wholeStudy).slice(1)}`;
  const gateway = await startTestGateway({ api: (response) => void response.end(body) });

  await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(drift(gateway)).toEqual([`more | nothing | ${received}`]);
});

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'is logged for an unknown field with the name %s',
  async (name) => {
    const body = `{"${name}":1,${JSON.stringify(wholeStudy).slice(1)}`;
    const gateway = await startTestGateway({ api: (response) => void response.end(body) });

    await gateway.graphql(CreateStudyDocument, { input: {} });

    expect(drift(gateway)).toEqual([`${name} | nothing | a number`]);
  },
);

it('reveals no value in the log or to the client', async () => {
  const canary = 'canary-1b9f';
  const wrong = { text: canary, list: [canary, 424_242_424_242] };
  const broken = {
    ...Object.fromEntries(Object.keys(wholeStudy).map((field) => [field, wrong])),
    id: wholeStudy.id,
  };
  const ids = { projectId: canary, createdAt: canary, bookmarked: canary };
  const objects = { solution: canary, researchGoal: [canary], progress: { total: canary } };
  const gateway = await startTestGateway({
    api: answerInTurn(
      { ...broken, solution: [canary], researchGoal: canary, progress: wrong, more: wrong },
      { ...broken, ...ids, ...objects, interviewCount: 424_242_424_242 },
    ),
  });
  const fields = Object.keys(wholeStudy).filter((field) => !['id', 'progress'].includes(field));

  const results = [await gateway.graphql(CreateStudyDocument, { input: {} })];
  for (const field of fields)
    results.push(await gateway.graphql(`mutation { createStudy(input: {}) { ${field} } }`));

  expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(0);
  expect(JSON.stringify(results.map(({ errors }) => errors))).not.toMatch(/canary|424242424242/);
  expect(JSON.stringify(gateway.log)).not.toMatch(/canary|424242424242/);
  expect(drift(gateway).length).toBeGreaterThan(20);
});

it('cuts the name of an unknown field, and logs at most 200 kinds', async () => {
  const more = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`${index}${'x'.repeat(1_000)}`, index]),
  );
  const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, ...more }) });

  const result = await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(result).toEqual({ data: { createStudy: wholeStudy } });
  expect(drift(gateway)).toHaveLength(200);
  expect(drift(gateway)[0]).toBe(`0${'x'.repeat(63)} | nothing | a number`);
});
