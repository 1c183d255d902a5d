import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/errors/refusal.js';
import { RestError } from 'rest-outcome';
import { toPage, wholeStudy } from '../support/studies.js';
import { irregular, refused, regular, regularLists } from './requests.fixture.js';
import { startServers, type Answers } from './servers.fixture.js';

const refusal = new RestError('invalid', { method: 'POST', template: '/studies' }, { status: 422 });

const errorWithStatus = new GraphQLError('Slow down.', {
  extensions: { code: 'RATE_LIMITED', outcome: 'NOT_SENT', http: { status: 429 } },
});

const answers: Record<string, Answers> = {
  'a whole study': [wholeStudy],
  'only what is required': [
    Object.fromEntries(
      Object.entries(wholeStudy).filter(
        ([, value]) => Array.isArray(value) || typeof value === 'string',
      ),
    ),
  ],
  'null where it may be': [{ ...wholeStudy, description: null, progress: null, solution: null }],
  'broken fields': [{ ...wholeStudy, id: 7, description: 1, files: [1], progress: { total: 'x' } }],
  'a broken required field': [{ ...wholeStudy, files: null, problems: 'none' }],
  'an error': [refusal],
  'an error, then a study': [refusal, wholeStudy],
  'a study, then an error': [wholeStudy, refusal],
  'no token': [new Refusal('UNAUTHENTICATED', 'Send the Study API token.')],
  'a token that may only read': [new Refusal('FORBIDDEN', 'The token may read only.')],
  'an argument that is refused': [
    new Refusal('BAD_USER_INPUT', 'An idempotency key has …', { path: ['idempotencyKey'] }),
  ],
  'an error with a word on the HTTP response': [errorWithStatus],
  'a defect': [new TypeError('secret')],
  'a defect, then a study': [new TypeError('secret'), wholeStudy],
  'an error, then broken fields': [refusal, { ...wholeStudy, files: 7 }],
};

const other = { ...wholeStudy, projectId: '11111111-2222-3333-4444-555555555555' };

const pages: Record<string, Answers> = {
  'a whole page': [toPage([wholeStudy, wholeStudy])],
  'an empty page': [toPage([])],
  'a page without numbers': [{ items: [wholeStudy] }],
  'items that are broken': [
    toPage([{ ...wholeStudy, id: 7 }, null, wholeStudy, 'x', { ...wholeStudy, files: 1 }], {
      total: 'x',
      page: null,
    }),
  ],
  'another project': [toPage([wholeStudy, other])],
  'another page': [toPage([wholeStudy], { page: 3 })],
  'no page': [wholeStudy],
  'an error': [refusal],
};

describe.each([
  ...Object.entries({ ...regular, ...refused, ...irregular }).map(
    ([name, request]) => [name, request, answers] as const,
  ),
  ...Object.entries(regularLists).map(([name, request]) => [name, request, pages] as const),
])('%s', (_, request, answersOfRequest) => {
  it.each(Object.entries(answersOfRequest))(
    'is answered as by graphql-js: %s',
    async (__, answer) => {
      const { ours, plain } = await startServers();
      const expected = await plain(request, answer);

      // In the first run Apollo parses the document; in later runs the document comes from the document store.
      for (let run = 1; run <= 3; run++) {
        expect(await ours(request, answer)).toMatchObject({
          response: expected.response,
          status: expected.status,
          calls: expected.calls,
        });
      }
    },
  );
});

it.each(Object.entries(regular))('%s runs by a plan from the second run on', async (_, request) => {
  const { ours } = await startServers();
  await ours(request, [wholeStudy]);

  const { isByGraphqlJs, response } = await ours(request, [wholeStudy]);

  expect(isByGraphqlJs).toBe(false);
  expect(JSON.parse(response)).not.toHaveProperty('errors');
});

it.each(Object.entries(regularLists).filter(([name]) => !/refused|not asked for/.test(name)))(
  '%s runs by a plan from the second run on',
  async (_, request) => {
    const { ours } = await startServers();
    const page = [toPage([wholeStudy, wholeStudy])];
    await ours(request, page);

    const { isByGraphqlJs, response } = await ours(request, page);

    expect(isByGraphqlJs).toBe(false);
    expect(JSON.parse(response)).not.toHaveProperty('errors');
  },
);

it.each(Object.entries(answers))('a plan answers with %s', async (_, answer) => {
  const { ours } = await startServers();
  await ours(regular['two mutations']!, [wholeStudy]);

  expect(await ours(regular['two mutations']!, answer)).toMatchObject({ isByGraphqlJs: false });
});

it.each(Object.entries(refused))('%s is refused without graphql-js', async (_, request) => {
  const { ours } = await startServers();
  await ours(request, [wholeStudy]);

  const { isByGraphqlJs, response, calls } = await ours(request, [wholeStudy]);

  expect({ isByGraphqlJs, calls }).toEqual({ isByGraphqlJs: false, calls: [] });
  expect(JSON.parse(response)).not.toHaveProperty('data');
});

it.each(Object.entries(irregular))('%s is left to graphql-js', async (_, request) => {
  const { ours } = await startServers();
  await ours(request, [wholeStudy]);

  expect(await ours(request, [wholeStudy])).toMatchObject({ isByGraphqlJs: true });
});
