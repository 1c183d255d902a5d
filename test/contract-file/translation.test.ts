import { expect, it } from 'vitest';
import {
  assumed,
  readContract,
  translate,
  type ContractFile,
  type Translation,
} from '../../packages/contract/src/index.js';
import { writeTemporary } from './contract.fixture.js';

function compile(contract: ContractFile): Translation {
  return translate(readContract(writeTemporary(contract)));
}

/** The contract of the API, with what else can differ. */
const strange: ContractFile = {
  request: {
    naming: 'snake_case',
    names: { knowledgeGraphs: 'kg_ids', progress: 'state', 'progress.total': 'sum' },
    required: { createStudy: ['projectId'] },
    absent: { createStudy: ['status'], editStudy: ['createdAt'] },
  },
  answer: {
    at: '/data/study',
    naming: 'PascalCase',
    names: { summaries: 'digests', 'progress.total': 'sum' },
    absent: ['planId', 'solution'],
  },
  operations: {
    studies: {
      items: '/data/content',
      numbers: { page: '/meta/number', total: '/meta/a~1b' },
      parameters: { projectId: 'project[]' },
      absent: ['size'],
      projects: 'repeated',
      firstPage: 0,
    },
  },
  verdicts: { applied: [200], rejected: [409, 500], success: { '/ok': true }, reason: '/e/text' },
};

it('is nothing without a contract, so that nothing is called or copied', () => {
  const { sent, toFields, read, absent, believesPage, toQuery, ...others } = translate(assumed);
  const study = { id: 'i', projectId: 'p' };

  expect(new Set(Object.values(others))).toEqual(new Set([undefined]));
  expect([sent.size, absent, believesPage]).toEqual([16, [], false]);
  expect(toFields(study)).toBe(study);
  expect([read(study, 'id'), read(study, 'projectId')]).toEqual(['i', 'p']);
  expect(toQuery({ page: 2, size: null, projectId: ['a', 'b'] })).toEqual([
    'page=2',
    'projectId=a,b',
  ]);
});

it('writes a body with the API’s names, in the order of the input', () => {
  const api = compile(strange);
  const input = {
    strategy: null,
    projectId: 'p',
    progress: { failed: 1, total: 2 },
    knowledgeGraphs: [],
    status: undefined,
  };

  expect(JSON.stringify(api.toBody?.(input))).toBe(
    '{"strategy":null,"project_id":"p","state":{"failed":1,"sum":2},"kg_ids":[]}',
  );
  expect(JSON.stringify(api.toBody?.({ progress: null }))).toBe('{"state":null}');
});

it('names the fields that the API does not take or demands', () => {
  const api = compile(strange);
  const taken = 'The Study API does not take this field.';
  const demanded = 'The Study API demands this field.';

  expect(api.refuseCreate?.({ status: null })).toEqual([
    { name: 'status', message: taken },
    { name: 'projectId', message: demanded },
  ]);
  expect(api.refuseCreate?.({ projectId: 'p', createdAt: 'c' })).toEqual([]);
  expect(api.refuseEdit?.({ createdAt: 'c' })).toEqual([{ name: 'createdAt', message: taken }]);
});

it('reads a study at its place, without what the API calls by the name of another field', () => {
  const api = compile(strange);
  const big = JSON.rawJSON('12345678901234567890');
  const study = {
    Id: 'i',
    digests: ['d'],
    summaries: ['other'],
    Summaries: ['other'],
    PlanId: 'p',
    Progress: { sum: big, Total: 3, Failed: 1 },
    InterviewCount: big,
  };

  expect(api.toItem?.(api.unwrap?.({ data: { study } }) ?? {})).toEqual({
    id: 'i',
    summaries: ['d'],
    progress: { total: big, failed: 1 },
    interviewCount: big,
    planId: null,
    solution: null,
  });
  expect(api.toItem?.({ Id: 'i', Progress: big })).toEqual({
    id: 'i',
    progress: big,
    planId: null,
    solution: null,
  });
});

it.each([[{}], [{ data: null }], [{ data: { study: [1] } }], [{ study: { Id: 'i' } }]])(
  'finds no study in %j',
  (answer) => {
    expect(compile(strange).unwrap?.(answer)).toBe(undefined);
  },
);

it('leaves a study without own names as it is', () => {
  const { unwrap, toItem, toBody } = compile({ answer: { at: '/data' } });
  const study = { id: 'i', own: 1 };

  expect(unwrap?.({ data: study })).toBe(study);
  expect([toItem, toBody]).toEqual([undefined, undefined]);
});

it('knows the API’s names of a study', () => {
  const api = compile(strange);
  expect([...(api.known?.fields ?? [])].toSorted()).toEqual(
    [
      ['Id', 'Description', 'ProjectId', 'CreatedAt', 'Bookmarked', 'Language', 'Audiences'],
      ['AudiencesObj', 'Problems', 'ProblemsObj', 'Files', 'Progress', 'Status', 'SolutionId'],
      ['ResearchGoalId', 'ResearchGoal', 'KnowledgeGraphs', 'Strategy', 'InterviewCount'],
      ['Interviews', 'digests'],
    ]
      .flat()
      .toSorted(),
  );
  expect(api.known?.parts).toEqual(new Set(['sum', 'Completed', 'Failed']));
  expect(api.read({ Id: 'i', id: 'other' }, 'id')).toBe('i');
});

it('translates places in a request back', () => {
  const api = compile(strange);
  const toPath = api.toInputPath;

  expect(toPath?.(['kg_ids', 0])).toEqual(['knowledgeGraphs', 0]);
  expect(toPath?.(['state', 'sum'])).toEqual(['progress', 'total']);
  expect(toPath?.(['state'])).toEqual(['progress']);
  expect(toPath?.(['own', 'sum'])).toEqual(['own', 'sum']);
  expect(toPath?.([])).toEqual([]);
});

it('asks for a page as the API counts, and shows it counted from 1', () => {
  const api = compile(strange);
  const projectId = ['a', 'b c'];
  const meta = { number: 1, 'a/b': 3 };

  expect(api.toQuery({ page: 2, size: null, projectId })).toEqual([
    'page=1',
    'project%5B%5D=a',
    'project%5B%5D=b%20c',
  ]);
  expect(api.toPage?.({ data: { content: [1], size: 10, pages: null }, meta })).toEqual({
    items: [1],
    page: 2,
    size: 10,
    total: 3,
    pages: null,
  });
  expect([...(api.listArguments ?? [])]).toEqual([['project[]', 'projectId']]);
});

it('names the arguments of the list that the API does not take', () => {
  const api = compile(strange);

  expect(api.refuseList?.({ page: 1, size: 5 })).toEqual([
    { name: 'size', message: 'The Study API does not take this field.' },
  ]);
  expect(api.refuseList?.({ page: 1, size: null })).toEqual([]);
});

it('takes only the listed statuses for verdicts', () => {
  const api = compile(strange);
  const verdicts = [200, 201, 302, 400, 409, 500].map((status) => api.toVerdict?.(status));

  expect(verdicts).toEqual(['APPLIED', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'REJECTED', 'REJECTED']);
});

it('takes the usual statuses where one list is given', () => {
  const { toVerdict: byApplied } = compile({ verdicts: { applied: [201] } });
  const { toVerdict: byRejected } = compile({ verdicts: { rejected: [500] } });

  expect([200, 201, 404, 408, 460, 499, 500].map((status) => byApplied?.(status))).toEqual([
    'UNKNOWN',
    'APPLIED',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([204, 404, 500].map((status) => byRejected?.(status))).toEqual([
    'APPLIED',
    'UNKNOWN',
    'REJECTED',
  ]);
});

it('reads from the body whether the answer means yes, and why not', () => {
  const api = compile(strange);
  const bodies = [{ ok: true }, { ok: false }, { ok: 'true' }, {}, null, []];

  expect(bodies.map((body) => api.toBodyVerdict?.(body))).toEqual([
    'APPLIED',
    'REJECTED',
    'REJECTED',
    'UNKNOWN',
    'UNKNOWN',
    'UNKNOWN',
  ]);
  expect(api.readReason?.({ e: { text: 'no' } })).toBe('no');
  expect(api.readReason?.({ e: { text: 7 } })).toBe(undefined);
});

/** The contract of an API in the manner of JSON:API, whose owner stands apart. */
const nested: ContractFile = {
  request: {
    at: '/data/attributes',
    id: '/data/id',
    constants: { '/data/type': 'studies' },
    names: { projectId: '/data/relationships/owner/id' },
    absent: { createStudy: ['files', 'status'] },
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
      parameters: { size: 'page[size]' },
      absent: ['size', 'page'],
      projects: 'one',
    },
  },
  verdicts: { success: { '/ok': true } },
};

it('wraps a body, and writes fields at their places', () => {
  const { toBody, toInputPath, refuseCreate } = compile(nested);
  const body = toBody?.({ status: 's', projectId: 'p', language: undefined }, 'i');

  expect(JSON.stringify(body)).toBe(
    '{"data":{"type":"studies","id":"i","attributes":{"status":"s"},"relationships":{"owner":{"id":"p"}}}}',
  );
  expect(JSON.stringify(toBody?.({}))).toBe('{"data":{"type":"studies","attributes":{}}}');
  expect(toInputPath?.(['data', 'attributes', 'progress', 'total'])).toEqual(['progress', 'total']);
  expect(toInputPath?.(['data', 'relationships', 'owner', 'id'])).toEqual(['projectId']);
  expect(toInputPath?.(['data', 'type'])).toEqual(['data', 'type']);
  expect(refuseCreate?.({ files: null })).toMatchObject([{ name: 'files' }]);
});

it('reads fields at their places, and understands no study without them', () => {
  const { toItem, toFields, read, known, isMissing } = compile(nested);
  const study = { id: 'i', type: 'studies', attributes: { plan: 7 }, owner: { id: 'p' } };

  expect(toItem?.(study)).toEqual({ id: 'i', projectId: 'p', planId: 7, files: null });
  expect([read(study, 'id'), read(study, 'projectId')]).toEqual(['i', 'p']);
  expect(toFields({ id: 'i' })).toBe(undefined);
  expect(known?.fields.has('plan')).toBe(true);
  expect(isMissing?.({ ok: true, data: null })).toBe(true);
  expect(
    [{ data: null }, { ok: false, data: null }, { ok: true }].map((a) => isMissing?.(a)),
  ).toEqual([false, false, false]);
});

it('reads the items of a page that has no number, and takes one project', () => {
  const { toPage, believesPage, refuseList } = compile(nested);

  expect(toPage?.({ data: [{ study: { id: 'i' } }, 7], page: 9 })).toEqual({
    items: [{ id: 'i' }, undefined],
    size: undefined,
    total: undefined,
    pages: undefined,
  });
  expect(believesPage).toBe(true);
  // A name wins over "absent", so that a person need not delete what the command wrote.
  expect(refuseList?.({ page: 2, size: 5, projectId: ['a', 'b'] })).toEqual([
    { name: 'page', message: 'The Study API does not take this field.' },
    { name: 'projectId', message: 'The Study API takes one project.' },
  ]);
  expect(refuseList?.({ page: null, projectId: ['a'] })).toEqual([]);
});
