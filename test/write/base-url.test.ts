import { describe, expect, it } from 'vitest';
import { operations, run, toLedger } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi } from '../support/study-api.js';

describe.each(operations)('$field', (operation) => {
  it.each([
    { path: '', prefix: '' },
    { path: '/', prefix: '' },
    { path: '//', prefix: '' },
    { path: '/api/v1', prefix: '/api/v1' },
    { path: '/api/v1/', prefix: '/api/v1' },
    { path: '/api/v1///', prefix: '/api/v1' },
    { path: '/api//v1', prefix: '/api//v1' },
    { path: '/a%20b/c%2Fd%3F', prefix: '/a%20b/c%2Fd%3F' },
    { path: '/über uns', prefix: '/%C3%BCber%20uns' },
    { path: '/api/../v1/.', prefix: '/v1' },
  ])('joins its path to the base path "$path"', async ({ path, prefix }) => {
    const studyApi = await startStudyApi(answerJson(wholeStudy));
    const gateway = await startTestGateway({ studyApiUrl: studyApi.url + path });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual({ data: { [operation.field]: wholeStudy } });
    expect(toLedger(studyApi)).toEqual([operation.request.replace(' ', ` ${prefix}`)]);
  });
});
