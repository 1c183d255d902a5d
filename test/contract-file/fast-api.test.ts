import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ContractError,
  readContract,
  translate,
  type ContractFile,
  type Translation,
} from '../../packages/contract/src/index.js';
import { save, startFastApi, type Form } from './contract.fixture.js';

const input = {
  description: 'Why do people leave?',
  projectId: '123e4567-e89b-12d3-a456-426614174000',
  createdAt: '2026-03-01T09:30:00.123456+01:00',
  bookmarked: true,
  language: 'en',
  audiences: ['People who left'],
  files: ['interview.pdf'],
  progress: { total: 12, completed: 3, failed: 1 },
  status: 'running',
  knowledgeGraphs: ['graph-1'],
  strategy: 'problem_exploration',
  interviewCount: 12,
  interviews: ['i-1'],
  problems: ['It takes too long'],
  solutionId: '3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22',
  researchGoalId: '9c5e2d77-1b1c-4d3f-9f0a-5a4e7b8c9d33',
};

/** The study that a create of `input` makes, but its id. */
const created = {
  ...input,
  audiencesObj: [],
  problemsObj: [],
  planId: null,
  solution: null,
  researchGoal: null,
  summaries: [],
};

const snakeRequest = {
  projectId: 'project_id',
  createdAt: 'created_at',
  knowledgeGraphs: 'knowledge_graphs',
  interviewCount: 'interview_count',
  solutionId: 'solution_id',
  researchGoalId: 'research_goal_id',
};
const snakeAnswer = {
  ...snakeRequest,
  audiencesObj: 'audiences_obj',
  problemsObj: 'problems_obj',
  planId: 'plan_id',
  researchGoal: 'research_goal',
};

const foreignRequest = {
  description: 'question',
  projectId: 'workspace',
  createdAt: 'made',
  bookmarked: 'starred',
  language: 'tongue',
  audiences: 'people',
  files: 'papers',
  progress: 'counts',
  status: 'phase',
  knowledgeGraphs: 'kg_ids',
  strategy: 'method',
  interviewCount: 'talks',
  interviews: 'talk_ids',
  problems: 'pains',
  solutionId: 'fix',
  researchGoalId: 'goal',
};
const foreignAnswer = {
  ...foreignRequest,
  id: 'key',
  audiencesObj: 'personas',
  problemsObj: 'pain_points',
  planId: 'script',
  solution: 'remedy',
  researchGoal: 'aim',
  summaries: 'digests',
};

/** Every API whose document says all: its form, and the contract. */
const apis: [name: string, form: Form, contract: ContractFile][] = [
  ['camelCase', {}, {}],
  [
    'snake_case in answers only, and no reads',
    { answer: snakeAnswer, reads: false },
    { answer: { naming: 'snake_case' }, operations: { study: false, studies: false } },
  ],
  [
    'snake_case but for one name, what an API requires and lacks, data around, and pages from 0',
    {
      request: { ...snakeRequest, projectId: 'ProjectID' },
      answer: snakeAnswer,
      required: ['projectId', 'problems'],
      absent: ['planId', 'solution', 'createdAt'],
      around: 'data',
      items: 'data',
      firstPage: 0,
    },
    {
      request: {
        naming: 'snake_case',
        names: { projectId: 'ProjectID' },
        required: { createStudy: ['projectId', 'problems'] },
      },
      answer: { at: '/data', naming: 'snake_case', absent: ['createdAt', 'planId', 'solution'] },
      operations: { studies: { items: '/data', firstPage: 0 } },
    },
  ],
];

/** Returns the body of a create by the API's names. */
function toBody({ request = {} }: Form): string {
  const renamed = Object.entries(input).map(([name, value]) => [request[name] ?? name, value]);
  return JSON.stringify(Object.fromEntries(renamed));
}

/** Creates, edits and reads a study as a contract says. Returns the studies that the answers show, and the bodies sent. */
async function exchange(url: string, { toBody, unwrap, toItem, toPage, toQuery }: Translation) {
  const call = async (method: string, path: string, body?: object) => {
    const text = body && JSON.stringify(toBody ? toBody({ ...body }) : body);
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/studies${path}`, { method, headers, body: text ?? null });
    return (await response.json()) as Record<string, unknown>;
  };
  const toStudy = (study: Record<string, unknown>) => (toItem ? toItem(study) : study);
  const study = toStudy(unwrap(await call('POST', '', input))!);
  const edited = toStudy(
    unwrap(await call('PATCH', `/${String(study['id'])}`, { description: null }))!,
  );
  const answer = await call('GET', `?${toQuery({ page: 1, size: 5 }).join('&')}`);
  const page = toPage ? toPage(answer) : answer;
  const items = (page['items'] ?? []) as Record<string, unknown>[];
  const bodies: unknown = await (await fetch(`${url}/_bodies`)).json();
  return { study, edited, page: { ...page, items: items.map(toStudy) }, bodies };
}

describe('the contract of a Study API on FastAPI', { tags: ['fastapi'] }, () => {
  it.each(apis)('is made of its own document: %s', async (_, form, contract) => {
    const url = await startFastApi(form);

    const saved = await save(`${url}/openapi.json`);

    expect([saved.exit, saved.contract]).toEqual([0, contract]);
    expect(saved.noted).toContain(`STUDY_API_URL=${url}\n`);
    const { study, edited, page, bodies } = await exchange(
      url,
      translate(readContract(saved.file)),
    );
    const nulls = Object.fromEntries((form.absent ?? []).map((name) => [name, null]));
    const whole = { ...created, ...nulls, id: expect.any(String) };
    expect(study).toEqual(whole);
    expect(edited).toEqual({ ...whole, description: null, id: study['id'] });
    expect(bodies).toEqual([toBody(form), '{"description":null}']);
    const numbers = { page: 1, size: 5, total: 1, pages: 1 };
    const lacking = { detail: 'Method Not Allowed', items: [] };
    expect(page).toEqual(form.reads === false ? lacking : { items: [edited], ...numbers });
  });

  it('has the path in front of the operations in its paths', async () => {
    const url = await startFastApi({ prefix: '/api/v1' });

    const { exit, contract, noted } = await save(`${url}/openapi.json`);

    const [all, one] = [{ path: '/api/v1/studies' }, { path: '/api/v1/studies/{id}' }];
    const operations = { study: one, studies: all, createStudy: all, editStudy: one };
    expect([exit, contract]).toEqual([0, { operations }]);
    expect(noted).toContain(`STUDY_API_URL=${url}\n`);
  });

  it('starts with foreign names as it was written, and with those that a person fills in', async () => {
    const url = await startFastApi({ request: foreignRequest, answer: foreignAnswer });
    const saved = await save(`${url}/openapi.json`);
    const { request = {}, answer = {} } = saved.contract;

    // Without an id, there is no study: its name is the only empty value.
    expect(() => readContract(saved.file)).toThrow(
      new ContractError(
        `${saved.file} /answer/names/id is empty, and a person must settle it: it must be the name that the API uses, or a JSON Pointer such as "/owner/id".`,
      ),
    );
    expect(saved.exit).toBe(1);
    expect(saved.noted).toContain('/answer/names/id: name the property (key');

    const filled = {
      ...saved.contract,
      request: { ...request, names: foreignRequest },
      answer: { ...answer, names: foreignAnswer },
    };
    writeFileSync(saved.file, JSON.stringify(filled));
    const told = await exchange(url, translate(readContract(saved.file)));
    expect(told.study).toEqual({ ...created, id: expect.any(String) });
    expect(told.page.items).toEqual([told.edited]);
    expect(told.bodies).toEqual([toBody({ request: foreignRequest }), '{"question":null}']);
  });
});
