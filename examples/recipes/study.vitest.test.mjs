// A test with Vitest and MSW: answers of the gateway without a gateway.
import { print } from 'graphql';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { CreateStudyDocument, studyProblem } from 'study-gateway-client';
import { aStudy, failedResponses } from 'study-gateway-client/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const study = aStudy({ description: 'Why?' });
const server = setupServer(
  http.post('*/graphql', () => HttpResponse.json({ data: { createStudy: study } })),
);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

/** In place of the component that your test renders. */
async function create() {
  const body = JSON.stringify({ query: print(CreateStudyDocument), variables: { input: {} } });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('https://gateway.example/graphql', {
    method: 'POST',
    headers,
    body,
  });
  return response.json();
}

it('creates a study', async () => {
  expect((await create()).data.createStudy.description).toBe('Why?');
});

it('reports that the outcome is unknown', async () => {
  const { unknown } = failedResponses;
  server.use(http.post('*/graphql', () => HttpResponse.json(unknown())));
  expect(studyProblem(await create()).kind).toBe('unknown');
});
