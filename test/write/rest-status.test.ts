import { describe, expect, it } from 'vitest';
import { answerBytes } from '../support/faults.js';
import {
  allOperations,
  run,
  study,
  toFailedResponse,
  toExpectedLedger,
  toLedger,
  toStatusFailure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';

const retried = { write: true, read: true };
const readRetried = { write: false, read: true };

/** The expected failure of each status, one by one, because clients rely on each of them. */
const statuses = [
  toStatusFailure(400, 'BAD_USER_INPUT', 'REJECTED'),
  toStatusFailure(401, 'UNAUTHENTICATED', 'REJECTED'),
  toStatusFailure(403, 'FORBIDDEN', 'REJECTED'),
  toStatusFailure(404, 'NOT_FOUND', 'REJECTED'),
  toStatusFailure(405, 'UPSTREAM_ERROR', 'REJECTED'),
  toStatusFailure(408, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(409, 'CONFLICT', 'REJECTED'),
  toStatusFailure(410, 'NOT_FOUND', 'REJECTED'),
  toStatusFailure(412, 'CONFLICT', 'REJECTED'),
  toStatusFailure(413, 'BAD_USER_INPUT', 'REJECTED'),
  toStatusFailure(418, 'UPSTREAM_ERROR', 'REJECTED'),
  toStatusFailure(422, 'BAD_USER_INPUT', 'REJECTED'),
  toStatusFailure(429, 'RATE_LIMITED', 'REJECTED', retried),
  toStatusFailure(451, 'UPSTREAM_ERROR', 'REJECTED'),
  toStatusFailure(460, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(499, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(500, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(501, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(502, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(503, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(504, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried),
  toStatusFailure(301, 'UPSTREAM_CONTRACT', 'UNKNOWN'),
  toStatusFailure(302, 'UPSTREAM_CONTRACT', 'UNKNOWN'),
  toStatusFailure(303, 'UPSTREAM_CONTRACT', 'UNKNOWN'),
  toStatusFailure(304, 'UPSTREAM_CONTRACT', 'UNKNOWN'),
  toStatusFailure(307, 'UPSTREAM_CONTRACT', 'UNKNOWN'),
  toStatusFailure(308, 'UPSTREAM_CONTRACT', 'UNKNOWN'),
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

describe.each(allOperations)('$field', (operation) => {
  const failed = statuses.filter(
    (failure) => !(operation.isRead && failure.upstreamStatus === 404),
  );

  it.each(failed)(
    'reports what $upstreamStatus means, and no text of the response',
    async (failure) => {
      const target = await startStudyApi(answerJson({}));
      const status = failure.upstreamStatus!;
      const gateway = await startTestGateway({
        api: answerWithCanaries(status, status < 400 ? { location: `${target.url}/canary` } : {}),
      });

      const answer = await run(gateway, operation);

      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
      expect(answer.requestId).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
      expect(answer.whole.toLowerCase()).not.toContain('canary');
      expect(JSON.stringify(gateway.log).toLowerCase()).not.toContain('canary');
      const isRepeated = [502, 503, 504].includes(status);
      expect(toLedger(gateway)).toEqual(toExpectedLedger(operation, isRepeated));
      expect(target.calls).toEqual([]);
    },
  );

  it.each([
    ['JSON', 'application/json', '{"detail":[{"loc":["body","canary"],"msg":"canary"}]}'],
    ['a study', 'application/json', '{"id":"canary"}'],
    ['HTML', 'text/html', '<h1>canary</h1><pre>at canary (/app/main.py:7)</pre>'],
    ['text', 'text/plain', `canary${' canary'.repeat(10_000)}`],
    ['broken JSON', 'application/json', '{"canary":'],
  ])('hides the body of a 500 from clients: %s', async (_, contentType, body) => {
    const gateway = await startTestGateway({
      api: answerBytes(body, { 'content-type': contentType }, 500),
    });

    const answer = await run(gateway, operation);

    const failure = toStatusFailure(500, 'UPSTREAM_ERROR', 'UNKNOWN', readRetried);
    expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
    expect(answer.whole).not.toContain('canary');
    expect(JSON.stringify(gateway.log)).not.toContain('canary');
  });
});

it('answers a study that the Study API does not have with null', async () => {
  const gateway = await startTestGateway({ api: answerJson({ detail: 'Not found' }, 404) });

  const answer = await run(gateway, study);

  expect(answer.body).toEqual({ data: { study: null } });
  expect(toLedger(gateway)).toEqual([study.request]);
});
