import { expect, it } from 'vitest';
import {
  assumed,
  readContract,
  translate,
  type ContractFile,
} from '../../packages/contract/src/index.js';
import { writeTemporary } from './contract.fixture.js';

function compile(contract: ContractFile) {
  return translate(readContract(writeTemporary(contract)));
}

const taken = 'The Study API does not take this field.';
const demanded = 'The Study API demands this field.';

/** The contract of an API with names of its own, pages from 0, and refusals in a 2xx. */
const strange: ContractFile = {
  request: {
    naming: 'snake_case',
    names: { knowledgeGraphs: 'kg_ids', progress: 'state' },
    required: { createStudy: ['projectId'] },
    absent: { createStudy: ['status'], editStudy: ['createdAt'] },
  },
  answer: {
    at: '/data/study',
    naming: 'snake_case',
    names: { summaries: 'digests' },
    absent: ['planId', 'solution'],
  },
  operations: {
    studies: {
      items: '/data/content',
      numbers: { page: '/meta/number', total: '/meta/a~1b', size: '/data/size' },
      parameters: { projectId: 'project[]', size: false },
      projects: 'repeated',
      firstPage: 0,
    },
  },
  verdicts: { applied: [200], rejected: [409, 500], success: { '/ok': true } },
};

/** The contract of an API in the manner of JSON:API, whose owner stands apart. */
const nested: ContractFile = {
  request: {
    at: '/data/attributes',
    id: '/data/id',
    constants: { '/data/type': 'studies' },
    names: { projectId: '/data/relationships/owner/id' },
    absent: { createStudy: ['files', 'projectId'] },
  },
  answer: {
    at: '/data',
    fields: '/attributes',
    names: { id: '/id', projectId: '/owner/id', planId: 'plan' },
    absent: ['planId', 'files'],
  },
  operations: {
    studies: {
      items: '/data',
      item: '/study',
      numbers: { page: false },
      parameters: { size: 'page[size]', page: false },
      projects: 'one',
    },
  },
  verdicts: { success: { '/ok': true } },
};

it('changes and copies nothing without a contract', () => {
  const api = translate(assumed);
  const study = { id: 'i', projectId: 'p' };
  const page = { items: [study] };

  expect([api.toBody(study), api.toItem(study), api.toPage(page)]).toEqual([study, study, page]);
  expect(api.toBody(study)).toBe(study);
  expect(api.toItem(study)).toBe(study);
  expect(api.toPage(page)).toBe(page);
  expect([api.toVerdict, api.toBodyVerdict]).toEqual([undefined, undefined]);
  expect(api.toQuery({ page: 2, size: null, projectId: ['a', 'b'] })).toEqual([
    'page=2',
    'projectId=a,b',
  ]);
});

const at = '/data/attributes';
it.each<[string, ContractFile, object, object]>([
  [
    'by the API’s names, without what is omitted',
    strange,
    {
      strategy: null,
      projectId: 'p',
      progress: { failed: 1 },
      knowledgeGraphs: [],
      status: undefined,
    },
    { strategy: null, project_id: 'p', state: { failed: 1 }, kg_ids: [] },
  ],
  [
    'at their places',
    nested,
    { status: 's', projectId: 'p' },
    {
      data: {
        type: 'studies',
        id: 'i',
        attributes: { status: 's' },
        relationships: { owner: { id: 'p' } },
      },
    },
  ],
  [
    'with constants that replace no value',
    { request: { at, constants: { [`${at}/language`]: 'en', [`${at}/as`]: 'new' } } },
    { language: 'de' },
    { data: { attributes: { language: 'de', as: 'new' } } },
  ],
  [
    'with what stands within the value of another field',
    {
      request: {
        names: { description: '/progress/of', status: '/progress/at' },
        constants: { '/progress/as': 'new' },
      },
    },
    { description: 'd', progress: { total: 1 }, status: 's' },
    { progress: { total: 1, of: 'd', at: 's', as: 'new' } },
  ],
])('writes a body %s', (_, contract, input, body) => {
  const text = JSON.stringify(compile(contract).toBody({ ...input }, 'i'));

  expect(JSON.parse(text)).toEqual(body);
});

it('names the fields and arguments that the API does not take or demands', () => {
  const { refuse } = compile(strange);
  const ofNested = compile(nested).refuse;

  expect([
    refuse.createStudy({ status: null }),
    refuse.createStudy({ projectId: 'p', createdAt: 'c' }),
    refuse.editStudy({ createdAt: 'c' }),
    refuse.studies({ page: 1, size: 5 }),
    refuse.studies({ page: 1, size: null }),
    // A name wins over "absent", so that a person need not delete what the command wrote.
    ofNested.createStudy({ projectId: 'p', files: [] }),
    ofNested.studies({ page: 2, size: 5, projectId: ['a', 'b'] }),
  ]).toEqual([
    [
      { name: 'status', message: taken },
      { name: 'projectId', message: demanded },
    ],
    [],
    [{ name: 'createdAt', message: taken }],
    [{ name: 'size', message: taken }],
    [],
    [{ name: 'files', message: taken }],
    [
      { name: 'page', message: taken },
      { name: 'projectId', message: 'The Study API takes one project.' },
    ],
  ]);
});

it('reads a study at its place, without what the API calls by the name of another field', () => {
  const { unwrap, toItem, known } = compile(strange);
  const big = JSON.rawJSON('12345678901234567890');
  const study = { id: 'i', digests: ['d'], summaries: ['x'], plan_id: 'p', interview_count: big };
  expect(toItem(unwrap({ data: { study } })!)).toEqual({
    id: 'i',
    summaries: ['d'],
    interviewCount: big,
    planId: null,
    solution: null,
  });
  const names = ['digests', 'interview_count', 'summaries', 'plan_id'];
  expect(names.map((name) => known.has(name))).toEqual([true, true, false, false]);
  expect(
    [{}, { data: null }, { data: { study: [1] } }, { study: { id: 'i' } }].map(unwrap),
  ).toEqual([1, 2, 3, 4].map(() => undefined));
});

it('reads fields at their places, and understands no study without them', () => {
  const { toItem, toFields, read, known } = compile(nested);
  const study = { id: 'i', type: 'studies', attributes: { plan: 7 }, owner: { id: 'p' } };

  expect(toItem(study)).toEqual({ id: 'i', projectId: 'p', planId: 7, files: null });
  expect([read(study, 'id'), read(study, 'projectId')]).toEqual(['i', 'p']);
  expect([toFields({ id: 'i' }), known.has('plan')]).toEqual([undefined, true]);
});

it('takes null in place of a study for "no such study" only where the answer says yes', () => {
  const { isMissing } = compile(nested);
  const answers = [
    { ok: true, data: null },
    { data: null },
    { ok: false, data: null },
    { ok: true },
  ];

  expect(answers.map(isMissing)).toEqual([true, false, false, false]);
});

it('translates places in a request back', () => {
  const [flat, deep] = [compile(strange).toInputPath, compile(nested).toInputPath];

  expect([flat(['kg_ids', 0]), flat(['state', 'total']), flat(['own', 'sum']), flat([])]).toEqual([
    ['knowledgeGraphs', 0],
    ['progress', 'total'],
    ['own', 'sum'],
    [],
  ]);
  const data = ['data', 'attributes', 'progress', 'total'];
  expect([deep(data), deep(['data', 'relationships', 'owner', 'id']), deep(['data'])]).toEqual([
    ['progress', 'total'],
    ['projectId'],
    ['data'],
  ]);
});

it('asks for a page as the API counts, and shows it counted from 1', () => {
  const api = compile(strange);
  const meta = { number: 1, 'a/b': 3 };

  expect(api.toQuery({ page: 2, size: null, projectId: ['a', 'b c'] })).toEqual([
    'page=1',
    'project%5B%5D=a',
    'project%5B%5D=b%20c',
  ]);
  expect(api.toPage({ data: { content: [1], size: 10 }, meta, pages: null })).toEqual({
    items: [1],
    page: 2,
    size: 10,
    total: 3,
    pages: null,
  });
  expect(api.listArguments.get('project[]')).toBe('projectId');
});

it('reads the items of a page that has no number', () => {
  const { toPage, believesPage } = compile(nested);

  expect([believesPage, toPage({ data: [{ study: { id: 'i' } }, 7], page: 9 })]).toEqual([
    true,
    { items: [{ id: 'i' }, undefined], size: undefined, total: undefined, pages: undefined },
  ]);
});

it.each<[ContractFile['verdicts'], string]>([
  [{ applied: [200], rejected: [409, 500] }, 'AUU UUU RR'],
  [{ applied: [201] }, 'UA- --- --'],
  [{ rejected: [500] }, 'AAU UUU UR'],
])(
  'takes the listed statuses for verdicts, and the usual ones without a list: %j',
  (verdicts, words) => {
    const { toVerdict } = compile({ verdicts });
    const told = [200, 201, 302, 400, 408, 499, 409, 500].map((status) => toVerdict?.(status));

    expect(told.map((verdict) => verdict?.[0] ?? '-').join('')).toBe(words.replaceAll(' ', ''));
  },
);

it('reads from the body whether the answer means yes', () => {
  const { toBodyVerdict } = compile(strange);
  const bodies = [{ ok: true }, { ok: false }, { ok: 'true' }, {}, null, []];

  const words = 'APPLIED REJECTED REJECTED UNKNOWN UNKNOWN UNKNOWN';
  expect(bodies.map((body) => toBodyVerdict?.(body))).toEqual(words.split(' '));
});
