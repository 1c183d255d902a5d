import { expect, it } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

it('answers with all 23 fields of the study that the Study API stored', async () => {
  const { graphql, calls } = await startTestGateway();

  const result = await graphql(CreateStudyDocument, { input: { description: 'Why?' } });

  expect(result).toEqual({ data: { createStudy: wholeStudy } });
  expect(calls).toMatchObject([
    { method: 'POST', url: '/studies', body: '{"description":"Why?"}' },
  ]);
});
