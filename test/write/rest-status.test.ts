import { describe, expect, it } from 'vitest';
import {
  createStudy,
  run,
  study,
  toFailedResponse,
  toExpectedLedger,
  toLedger,
  toStatusFailure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';

const retried = { write: true, read: true };
const readRetried = { write: false, read: true };

/** The expected failure of one status of each row: test/judges/statuses.test.ts asks for every status. */
const statuses = [
  toStatusFailure(400, 'BAD_USER_INPUT', 'REJECTED'),
  toStatusFailure(401, 'UNAUTHENTICATED', 'REJECTED'),
  toStatusFailure(403, 'FORBIDDEN', 'REJECTED'),
  toStatusFailure(404, 'NOT_FOUND', 'REJECTED'),
  toStatusFailure(405, 'UPSTREAM_ERROR', 'REJECTED'),
  toStatusFailure(408, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(409, 'CONFLICT', 'REJECTED'),
  toStatusFailure(429, 'RATE_LIMITED', 'REJECTED', retried),
  toStatusFailure(460, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(499, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(500, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(503, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
];

const redirected = (status: number) => toStatusFailure(status, 'UPSTREAM_CONTRACT', 'UNKNOWN');
/** Forms of a `Location` header. */
const redirects: readonly (readonly [string, number, (host: string) => string])[] = [
  ['a URL', 307, (host) => `http://${host}/canary`],
  ['a URL without a protocol', 307, (host) => `//${host}/canary`],
  ['a path', 303, () => '/canary'],
  ['a query', 301, () => '?canary'],
  ['nothing', 304, () => ''],
];

/**
 * Answers with `canary`, a text that no client may see, in the status line, the headers and the body. The body of a 4xx
 * has no reason of the refusal, because clients may see reasons.
 */
function answerWithCanaries(status: number, headers: Record<string, string> = {}): Respond {
  return (response) => {
    response.writeHead(status, 'Canary', { 'x-canary': 'canary', ...headers });
    const reasons = { detail: 'canary', message: 'canary', errors: ['canary'] };
    const isRefusal = status >= 400 && status < 500;
    response.end(JSON.stringify(isRefusal ? { code: 'canary', input: reasons } : reasons));
  };
}

describe.each([createStudy, study])('$field', (operation) => {
  const failed = statuses.filter(
    (failure) => !(operation.isRead && failure.upstreamStatus === 404),
  );

  it.each(failed)(
    'reports what $upstreamStatus means, and no text of the response',
    async (failure) => {
      const status = failure.upstreamStatus!;
      const gateway = await startTestGateway({ api: answerWithCanaries(status) });

      const answer = await run(gateway, operation);

      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
      expect(answer.requestId).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
      expect(answer.whole.toLowerCase()).not.toContain('canary');
      expect(JSON.stringify(gateway.log).toLowerCase()).not.toContain('canary');
      expect(toLedger(gateway)).toEqual(toExpectedLedger(operation, status === 503));
    },
  );

  it.each(redirects)('follows no redirect to %s', async (_, status, toLocation) => {
    const target = await startStudyApi(answerJson(wholeStudy));
    const location = toLocation(new URL(target.url).host);
    const gateway = await startTestGateway({ api: answerWithCanaries(status, { location }) });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, redirected(status)));
    expect(answer.whole + JSON.stringify(gateway.log)).not.toContain('canary');
    expect(toLedger(gateway)).toEqual([operation.request]);
    expect(target.calls).toEqual([]);
  });
});

it('answers a study that the Study API does not have with null', async () => {
  const gateway = await startTestGateway({ api: answerJson({ detail: 'Not found' }, 404) });

  const answer = await run(gateway, study);

  expect(answer.body).toEqual({ data: { study: null } });
  expect(toLedger(gateway)).toEqual([study.request]);
});
