import { expect, it } from 'vitest';
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

/** Answers each call with the next study, and all calls after the last study with the last one. */
function answerInTurn(...studies: readonly object[]): Respond {
  let turn = 0;
  return (...exchange) => answerJson(studies[Math.min(turn++, studies.length - 1)])(...exchange);
}

it('is logged as a warning, by field name and types, also for a field that is not selected', async () => {
  const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, language: 7 }) });

  const result = await gateway.graphql('mutation { createStudy(input: {}) { id } }');

  expect(result).toEqual({ data: { createStudy: { id } } });
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

it('is logged once for each kind, whatever the operation', async () => {
  const first = { ...wholeStudy, language: 7, progress: { total: '7' }, more: 1 };
  const gateway = await startTestGateway({
    api: answerInTurn(first, first, { ...first, language: 8, more: 2 }),
  });

  await gateway.graphql(CreateStudyDocument, { input: {} });
  await gateway.graphql(EditStudyDocument, { id, input: {} });
  await gateway.graphql(StudyDocument, { id });

  expect(drift(gateway).toSorted()).toEqual([
    'language | a string or null | a number',
    'more | nothing | a number',
    'progress.total | a 32-bit integer or null | a string',
  ]);
});

it('names the type of an unknown field, whatever its name means to JavaScript', async () => {
  const unknown = {
    one: ['null', 'null'],
    two: ['false', 'a boolean'],
    constructor: ['0', 'a number'],
    toString: ['""', 'a string'],
    hasOwnProperty: ['[]', 'an array'],
    ['__proto__']: ['{}', 'an object'],
  } as const;
  const texts = Object.entries(unknown).map(([name, [value]]) => `"${name}":${value}`);
  const body = `{${texts.join(',')},${JSON.stringify(wholeStudy).slice(1)}`;
  const gateway = await startTestGateway({ api: (response) => void response.end(body) });

  await gateway.graphql(CreateStudyDocument, { input: {} });

  const expected = Object.entries(unknown).map(([name, [, type]]) => `${name} | nothing | ${type}`);
  expect(drift(gateway)).toEqual(expected);
});

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

  const results = [
    await gateway.graphql(CreateStudyDocument, { input: {} }),
    await gateway.graphql(CreateStudyDocument, { input: {} }),
  ];

  expect(results.map(({ errors = [] }) => errors.length > 20)).toEqual([true, true]);
  expect(JSON.stringify(results.map(({ errors }) => errors))).not.toMatch(/canary|424242424242/);
  expect(JSON.stringify(gateway.log)).not.toMatch(/canary|424242424242/);
  expect(drift(gateway).length).toBeGreaterThan(20);
});

it('is logged for at most 200 kinds', async () => {
  const more = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`w${index}`, 1]));
  const gateway = await startTestGateway({ api: answerJson({ ...wholeStudy, ...more }) });

  const result = await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(result).toEqual({ data: { createStudy: wholeStudy } });
  expect(drift(gateway)).toHaveLength(200);
});

it('has the name of an unknown field in the log if it is an identifier of at most 40 characters, and never in metrics', async () => {
  const shown = ['audiences_obj', '_links', 'a'.repeat(40)];
  const names = [
    'maria.schmidt@example.com',
    '123e4567-e89b-12d3-a456-426614174000',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl',
    'log\nline',
    'größe',
    'x'.repeat(41),
  ];
  const more = Object.fromEntries([...shown, ...names].map((name) => [name, 1]));
  const api = answerJson({ ...wholeStudy, ...more });
  const gateway = await startTestGateway({ api, metricsPort: 0 });

  await gateway.graphql(CreateStudyDocument, { input: {} });

  const { samples } = await scrape(gateway);
  const counted = samples
    .filter(({ name }) => name === 'study_gateway_drift_total')
    .map(({ labels, value }) => [labels['field'], value]);
  const logged = [...shown, '(other)'];
  expect(drift(gateway)).toEqual(logged.map((name) => `${name} | nothing | a number`));
  expect(counted).toEqual([['(other)', shown.length + names.length]]);
  for (const name of names) expect(JSON.stringify(gateway.log)).not.toContain(name.slice(0, 40));
});
