import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readContract } from 'study-gateway-contract';
import { startFastApi } from '../contract-file/contract.fixture.js';
import { startTestGateway } from '../support/gateway.js';
import { createDirectory } from '../support/process.js';
import { project, runWriting } from './probe.fixture.js';

/** Names of the API's own for the nineteen entries of the document, and for the parts of a progress. */
const names = {
  id: 'key',
  description: 'question',
  projectId: 'workspace',
  createdAt: 'made',
  audiences: 'people',
  audiencesObj: 'personas',
  problems: 'pains',
  problemsObj: 'pain_points',
  files: 'papers',
  planId: 'script',
  progress: 'counts',
  'progress.total': 'all',
  'progress.completed': 'done',
  'progress.failed': 'broken',
  solutionId: 'fix',
  solution: 'remedy',
  researchGoalId: 'goal',
  researchGoal: 'aim',
  knowledgeGraphs: 'kg_ids',
  interviewCount: 'talks',
  interviews: 'talk_ids',
  summaries: 'digests',
};

/** The document says no more: no reads, and answers without the fields that it does not list. */
const literal = {
  answer: names,
  absent: ['bookmarked', 'language', 'status', 'strategy'],
  around: 'data',
  reads: false,
  hasProblems: true,
};

/** What no value tells, for a person to settle. */
const places = [
  'audiencesObj',
  'planId',
  'problemsObj',
  'researchGoal',
  'solution',
  'status',
  'summaries',
] as const;

const input = {
  description: 'Why do people leave?',
  projectId: project,
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
const shown = `id description projectId createdAt audiences files progress { total completed failed }
  knowledgeGraphs interviewCount interviews problems solutionId researchGoalId`;

it(
  'makes the contract of the literal API of the document, under which the gateway creates and edits',
  { tags: ['fastapi'] },
  async () => {
    const url = await startFastApi(literal);
    const file = join(createDirectory(), 'contract.json');

    const { exit } = await runWriting(url, ['--save', file]);

    expect(exit).toBe(1);
    const saved = JSON.parse(readFileSync(file, 'utf8'));
    const empty = Object.keys(saved.answer.names).filter((name) => saved.answer.names[name] === '');
    expect(empty.toSorted()).toEqual(places);
    expect(saved).toMatchObject({
      answer: { at: '/data', absent: ['bookmarked', 'language', 'strategy'] },
      operations: { study: false, studies: false },
    });
    const { status: _, ...settled } = saved.answer.names;
    for (const place of empty) if (place in names) settled[place] = names[place as 'planId'];
    expect(settled).toEqual(names);
    saved.answer = { ...saved.answer, names: settled, absent: [...saved.answer.absent, 'status'] };
    writeFileSync(file, JSON.stringify(saved));

    const { graphql } = await startTestGateway({ studyApiUrl: url, contract: readContract(file) });
    const created = await graphql<{ createStudy: { id: string } }>(
      `mutation ($input: CreateStudyInput!) { createStudy(input: $input) { ${shown} } }`,
      { input },
    );
    const { bookmarked: _b, language: _l, status: _s, strategy: _t, ...returned } = input;
    const { id } = created.data!.createStudy;
    expect(created).toEqual({ data: { createStudy: { ...returned, id } } });
    const edited = await graphql(
      `mutation ($id: UUID!) { editStudy(id: $id, input: { description: "New" }) { ${shown} } }`,
      { id },
    );
    expect(edited).toEqual({ data: { editStudy: { ...returned, id, description: 'New' } } });
    const bodies = (await (await fetch(`${url}/_bodies`)).json()) as string[];
    expect(JSON.parse(bodies.at(-2)!)).toEqual(input);
  },
);
