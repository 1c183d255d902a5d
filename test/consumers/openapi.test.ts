import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { allDaily, daily } from '../support/daily.js';
import { run as runContract } from '../contract-file/contract.fixture.js';
import { startTestGateway } from '../support/gateway.js';
import { spawnProgram } from '../support/program.js';
import { root, run } from '../support/run.js';
import { createProject, install, remove } from './project.fixture.js';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 120_000 });

/** A mock server that others wrote for OpenAPI. Daily: large. */
const prism = '@stoplight/prism-cli@5.16.0';

const project = createProject(mkdtempSync(join(tmpdir(), 'study-gateway-openapi-')));
beforeAll(async () => {
  await install(project, ['swagger-jsdoc@6.3.0', ...allDaily([prism], [])]);
  cpSync(join(import.meta.dirname, 'openapi'), project, { recursive: true });
});
afterAll(() => remove(project));

/** Starts Prism, which answers as the document of the Study API says, and a gateway in front. */
async function startMocked() {
  const document = join(root, 'schema/study-api.openapi.json');
  const script = join(project, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const prism = spawnProgram({ script, args: ['mock', '--port', '0', document], cwd: project });
  onTestFinished(async () => {
    prism.kill('SIGTERM');
    await prism.exit;
  });
  const [, studyApiUrl = ''] = await prism.printed(/Prism is listening on (http\S+)/);
  return startTestGateway({ studyApiUrl });
}

daily(() => {
  it('lets Prism answer every operation, and the gateway takes its answers', async () => {
    const { graphql, log } = await startMocked();
    const id = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';
    const study = 'id projectId createdAt audiencesObj files planId progress { total failed }';
    const input = `{ projectId: "${id}", knowledgeGraphs: [], progress: { total: 1 } }`;

    const results = [
      await graphql(`mutation { createStudy(input: ${input}) { ${study} } }`),
      await graphql(`mutation { editStudy(id: "${id}", input: ${input}) { ${study} } }`),
      await graphql(`{ study(id: "${id}") { ${study} } }`),
      await graphql(`{ studies(page: 1, size: 50) { items { ${study} } page size total pages } }`),
    ];

    const shown = expect.objectContaining({ id, files: expect.any(Array) });
    expect(results).toEqual([
      { data: { createStudy: shown } },
      { data: { editStudy: shown } },
      { data: { study: shown } },
      { data: { studies: { items: [shown], page: 1, size: 50, total: 1, pages: 1 } } },
    ]);
    // Drift is a warning.
    expect(log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});

it('reads a document that swagger-jsdoc prints of an API on Express', async () => {
  const file = join(project, 'express.json');
  writeFileSync(file, await run(project, process.execPath, ['express.mjs']));

  const { exit, printed, noted } = await runContract('--from', file);

  expect({ exit, contract: JSON.parse(printed), noted }).toEqual({
    exit: 1,
    contract: {
      request: {
        naming: 'snake_case',
        names: { knowledgeGraphs: 'kg_ids' },
        required: { createStudy: ['projectId', 'problems'] },
      },
      answer: { naming: 'snake_case', names: { knowledgeGraphs: 'kg_ids' }, absent: ['planId'] },
      operations: {
        study: false,
        createStudy: { path: '/v1/studies' },
        editStudy: { path: '/v1/studies/{id}' },
        studies: {
          path: '/v1/studies',
          items: '/results',
          numbers: { page: false, total: '/total_count' },
          parameters: { page: 'page_number', size: 'page_size', projectId: false },
          firstPage: 0,
        },
      },
    },
    noted: expect.stringContaining('STUDY_API_URL=https://studies.example\n'),
  });
});
