import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ContractFile } from '../../packages/contract/src/index.js';
import { root, run } from '../support/run.js';
import { pythonPath } from '../support/tools.js';
import { save, writeTemporary } from './contract.fixture.js';

const snakeRequest = {
  createdAt: 'created_at',
  knowledgeGraphs: 'knowledge_graphs',
  interviewCount: 'interview_count',
  solutionId: 'solution_id',
  researchGoalId: 'research_goal_id',
};
const snakeAnswer = {
  ...snakeRequest,
  projectId: 'project_id',
  audiencesObj: 'audiences_obj',
  problemsObj: 'problems_obj',
  researchGoal: 'research_goal',
};

describe('the contract of a Study API on FastAPI', { tags: ['fastapi'] }, () => {
  it.each<[string, form: object, contract: ContractFile]>([
    ['the usual names', {}, {}],
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
  ])('is made of the document that it prints: %s', async (_, form, contract) => {
    const program = fileURLToPath(new URL('study_api.py', import.meta.url));
    const document = await run(root, pythonPath, ['-B', program, JSON.stringify(form)]);

    const saved = await save(writeTemporary(document, 'openapi.json'));

    expect([saved.exit, saved.contract]).toEqual([0, contract]);
  });
});
