import { describe, expect, it } from 'vitest';
import { CreateStudyDocument, EditStudyDocument, StudyDocument } from 'study-gateway-client';
import { scrape } from '../support/exposition.js';
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

/** Returns the counted drift: the label of each field, and its count. */
async function countDrift(gateway: TestGateway): Promise<[string | undefined, number][]> {
  const { samples } = await scrape(gateway);
  return samples
    .filter(({ name }) => name === 'study_gateway_drift_total')
    .map(({ labels, value }) => [labels['field'], value]);
}

/** Answers each call with the next study, and all calls after the last study with the last one. */
function answerInTurn(...studies: readonly object[]): Respond {
  let turn = 0;
  return (...exchange) => answerJson(studies[Math.min(turn++, studies.length - 1)])(...exchange);
}

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

/** Returns a name of one word for each index up to 17,575. */
function toWord(index: number): string {
  const letters = [index / 676, (index / 26) % 26, index % 26].map((code) =>
    String.fromCodePoint(97 + Math.floor(code)),
  );
  return `word${letters.join('')}`;
}

it('is logged for at most 200 kinds', async () => {
  const more = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [toWord(index), 1]));
  const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, ...more }) });

  const result = await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(result).toEqual({ data: { createStudy: wholeStudy } });
  expect(drift(gateway)).toHaveLength(200);
  expect(drift(gateway)[0]).toBe('wordaaa | nothing | a number');
});

describe('the name of an unknown field', () => {
  it.each(['audiences_obj', 'address_line_2', '_links', 'HTTPStatus', 'x'.repeat(40)])(
    'is logged if it is an identifier: %s',
    async (name) => {
      const progress = { total: 1, [name]: 1 };
      const api = answerJson({ ...wholeStudy, [name]: 1, progress });
      const gateway = await startTestGateway({ api });

      await gateway.graphql(CreateStudyDocument, { input: {} });

      expect(drift(gateway)).toEqual([
        `${name} | nothing | a number`,
        `progress.${name} | nothing | a number`,
      ]);
    },
  );

  it.each([
    'maria.schmidt@example.com',
    '123e4567-e89b-12d3-a456-426614174000',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl',
    'a plain sentence',
    'log\nline',
    '\u001b[31m',
    '\u202e',
    'größe',
    'x'.repeat(41),
  ])(
    'is not in log and metrics if it is no identifier of at most 40 characters: %j',
    async (name) => {
      const progress = { total: 1, [name]: 1 };
      const api = answerJson({ ...wholeStudy, [name]: 1, progress });
      const gateway = await startTestGateway({ api, metricsPort: 0 });

      await gateway.graphql(CreateStudyDocument, { input: {} });

      expect(drift(gateway)).toEqual(['(other) | nothing | a number']);
      expect(await countDrift(gateway)).toEqual([['(other)', 2]]);
      expect(JSON.stringify(gateway.log)).not.toContain(name.slice(0, 40));
    },
  );

  it.each([
    ['is the token', 'plaintoken'],
    ['contains the token', 'my_plaintoken_x'],
  ])('is not shown if it %s', async (_, name) => {
    const progress = { total: 1, [name]: 1 };
    const api = answerJson({ ...wholeStudy, [name]: 1, progress });
    const gateway = await startTestGateway({ api, metricsPort: 0 });
    const authorization = 'Bearer plaintoken';

    await gateway.graphql(CreateStudyDocument, { input: {} }, { authorization });
    await gateway.graphql(EditStudyDocument, { id, input: {} }, { authorization });
    await gateway.graphql(StudyDocument, { id }, { authorization });

    expect(drift(gateway)).toEqual(['(other) | nothing | a number']);
    expect(await countDrift(gateway)).toEqual([['(other)', 6]]);
  });

  it('is counted for each name that is not shown, and logged once for each type', async () => {
    const secrets = { 'a b': 1, 'one@example.com': 2, 'two@example.com': 'x' };
    const api = answerJson({ ...wholeStudy, ...secrets });
    const gateway = await startTestGateway({ api, metricsPort: 0 });

    for (const description of ['1', '2'])
      await gateway.graphql(CreateStudyDocument, { input: { description } });

    expect(drift(gateway)).toEqual([
      '(other) | nothing | a number',
      '(other) | nothing | a string',
    ]);
    expect(await countDrift(gateway)).toEqual([
      ['(other)', 4],
      ['(other)', 2],
    ]);
  });
});

it('names a field of the contract even if the token is its name', async () => {
  const api = answerJson({ ...wholeStudy, language: 7, progress: { completed: '1' } });
  const gateway = await startTestGateway({ api });

  for (const token of ['language', 'completed', 'e'])
    await gateway.graphql(CreateStudyDocument, { input: {} }, { authorization: `Bearer ${token}` });

  expect(drift(gateway).toSorted()).toEqual([
    'language | a string or null | a number',
    'progress.completed | a 32-bit integer or null | a string',
  ]);
});
