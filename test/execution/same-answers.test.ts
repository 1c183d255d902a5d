import { GraphQLError } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/errors/refusal.js';
import { RestError } from 'rest-outcome';
import { toPage, wholeStudy } from '../support/studies.js';
import { irregular, refused, regular, regularLists, type Request } from './requests.fixture.js';
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
    new Refusal('BAD_USER_INPUT', 'An idempotency key has …', {
      fieldErrors: [{ path: ['idempotencyKey'], message: 'An idempotency key has …' }],
    }),
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
  ...toRows(regular, answers, false),
  ...toRows(regularLists, pages, false),
  ...toRows(refused, answers, false),
  ...toRows(irregular, answers, true),
])('%s', (_, request, answersOfRequest, isByGraphqlJs) => {
  let servers: Awaited<ReturnType<typeof startServers>>;
  beforeAll(async () => {
    servers = await startServers();
  });

  it.each(Object.entries(answersOfRequest))(
    'is answered as by graphql-js: %s',
    async (__, answer) => {
      const { ours, plain } = servers;
      const { response, status, calls } = await plain(request, answer);

      // In the very first run Apollo parses the document; in later runs the document comes from the document store.
      for (let run = 1; run <= 3; run++)
        expect(await ours(request, answer)).toEqual({ response, status, calls, isByGraphqlJs });
    },
  );
});

/** @param isByGraphqlJs false for operations with a plan, and for those whose variables are refused */
function toRows(
  requests: Record<string, Request>,
  answersOfRequest: Record<string, Answers>,
  isByGraphqlJs: boolean,
) {
  return Object.entries(requests).map(
    ([name, request]) => [name, request, answersOfRequest, isByGraphqlJs] as const,
  );
}
