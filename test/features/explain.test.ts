import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { CreateStudyDocument, StudyDocument } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { answerJson, type ReceivedCall } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

const explain = { 'x-study-explain': '1' };
/** Text with all characters that are special in a shell, and with the text of the token. */
const description = `It's "$HOME" \`id\` \\ ! \n ${token} é 🙂`;

interface Explained {
  curl?: string;
  [name: string]: unknown;
}

function toExplain(result: { extensions?: Record<string, unknown> }): Explained[] | undefined {
  return result.extensions?.['explain'] as Explained[] | undefined;
}

/** Replaces the `Connection` header, which undici and curl send differently, by whether it is `close`. */
function withoutConnection({ headers, ...call }: ReceivedCall): object {
  const { connection, ...others } = headers;
  return { ...call, headers: others, keepsConnection: connection === 'close' };
}

it('shows the REST call of an operation, and its answer, with the token left out of its header', async () => {
  const { graphql } = await startTestGateway();

  const result = await graphql(CreateStudyDocument, { input: { description } }, explain);

  expect(result.data).toEqual({ createStudy: wholeStudy });
  expect(JSON.stringify(result)).not.toContain(`Bearer ${token}`);
  expect(toExplain(result)).toEqual([
    {
      method: 'POST',
      path: '/studies',
      headers: {
        authorization: 'Bearer $STUDY_API_TOKEN',
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^study-gateway\//),
        'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      },
      body: JSON.stringify({ description }),
      status: 200,
      ms: expect.any(Number),
      attempts: 1,
      curl: expect.stringMatching(/^curl -X POST .* -H "authorization: Bearer \$STUDY_API_TOKEN"/),
    },
  ]);
});

it('gives a curl line that repeats the call byte for byte', { tags: ['curl'] }, async () => {
  const { graphql, calls } = await startTestGateway();
  const input = { description, audiences: ["it's"] };
  const [call] = toExplain(await graphql(CreateStudyDocument, { input }, explain)) ?? [];

  await promisify(execFile)('sh', ['-c', `${call?.curl} --silent --fail`], {
    env: { PATH: process.env['PATH'], STUDY_API_TOKEN: token },
  });

  const [sent, repeated] = calls.map(withoutConnection);
  expect(repeated).toEqual(sent);
});

it('names the failure of a call, each attempt of a read, and a call that was never sent', async () => {
  const { graphql } = await startTestGateway({ api: answerJson({}, 503) });
  const stopped = await startTestGateway({ studyApiUrl: 'http://study-api.invalid' });

  const write = await graphql(CreateStudyDocument, { input: {} }, explain);
  const read = await graphql(StudyDocument, { id: wholeStudy.id }, explain);
  const unsent = await graphql(
    'mutation { createStudy(input: {}) { id } }',
    {},
    { ...explain, authorization: '' },
  );
  const unreachable = await stopped.graphql(CreateStudyDocument, { input: {} }, explain);

  expect(toExplain(write)).toMatchObject([{ status: 503, attempts: 1, failure: 'unavailable' }]);
  expect(toExplain(read)).toMatchObject([{ status: 503, attempts: 3, failure: 'unavailable' }]);
  expect(toExplain(unsent)).toEqual([]);
  expect(toExplain(unreachable)).toMatchObject([{ attempts: 3, failure: 'unreachable' }]);
});

it('explains nothing unless the request asks for it, and never in production', async () => {
  const development = await startTestGateway();
  const production = await startTestGateway({ isProduction: true });

  const silent = await development.graphql(CreateStudyDocument, { input: {} });
  const other = await development.graphql(
    CreateStudyDocument,
    { input: {} },
    { 'x-study-explain': '0' },
  );
  const refused = await production.graphql(CreateStudyDocument, { input: {} }, explain);

  for (const result of [silent, other, refused])
    expect(result).toEqual({ data: { createStudy: wholeStudy } });
});
