import { describe, expect, it } from 'vitest';
import { allDaily } from '../support/daily.js';
import { startTestGateway } from '../support/gateway.js';
import { id, newToken, toBearer, toWrite, useFastApi, type Lie } from './judge.fixture.js';

/** Statuses that common proxies also send after they passed the request on. */
const verdictsOfNobody = new Set([408, 460, 499]);

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  412: 'CONFLICT',
  413: 'BAD_USER_INPUT',
  422: 'BAD_USER_INPUT',
  429: 'RATE_LIMITED',
};

const anyText = expect.any(String);
const upstreamCode = expect.stringMatching(/^UPSTREAM_/);

const study = JSON.stringify({ id, description: 'Why?' });

/** The statuses from 200 to 599, so ordered that those of one class are far apart: 5xx in a row open the circuit. */
const everyStatus = Array.from({ length: 400 }, (_, n) => 100 * (2 + (n % 4)) + Math.floor(n / 4));
/** The first and last statuses of each class, and those with a meaning of their own. */
const statuses = allDaily(
  everyStatus,
  everyStatus.filter((status) => status % 100 < 32 || [51, 60, 99].includes(status % 100)),
);

/** Returns the answer with `status` of an API that stores the write, or of an API that does not. */
function toLie(status: number, stores: boolean): Lie {
  const body = stores ? study : '{"success":false}';
  return {
    stores,
    status,
    headers: { 'content-type': 'application/json', location: '/studies' },
    ...(status !== 204 && status !== 304 && { body }),
  };
}

/** Returns what may be said of a write that got `status`: never more than was seen, and never less. */
function toTruth(field: string, status: number, stores: boolean): object {
  if (stores && status < 300 && status !== 204) return { data: { [field]: { id } } };
  const isRejected = status >= 400 && status < 500 && !verdictsOfNobody.has(status);
  const outcome = isRejected ? 'REJECTED' : status === 204 ? 'APPLIED' : 'UNKNOWN';
  const code = codes[status] ?? (status < 400 ? 'UPSTREAM_CONTRACT' : upstreamCode);
  return {
    data: { [field]: null },
    errors: [
      {
        message: isRejected ? `The Study API answered with status ${status}.` : anyText,
        locations: [expect.any(Object)],
        path: [field],
        extensions: {
          code,
          outcome,
          retryable: status === 429,
          upstreamStatus: status,
          requestId: expect.any(String),
        },
      },
    ],
  };
}

describe('what is told of a write', { tags: ['fastapi'] }, () => {
  const api = useFastApi();

  it.each([
    ['createStudy', 'POST /studies', true],
    ['createStudy', 'POST /studies', false],
    ['editStudy', `PATCH /studies/${id}`, true],
    ['editStudy', `PATCH /studies/${id}`, false],
  ] as const)(
    'is true for every status: %s, %s, stored: %s',
    { timeout: 60_000 },
    async (field, request, stores) => {
      // A 204 says that the write was made: of an API that did not store it, no gateway can know.
      const answered = statuses.filter((status) => stores || status !== 204);
      const prefix = newToken();
      const toToken = (status: number): string => `${prefix}-${status}`;
      await api.tell(
        Object.fromEntries(answered.map((status) => [toToken(status), toLie(status, stores)])),
      );
      const { graphql } = await startTestGateway({ studyApiUrl: api.url });

      const told: Record<number, unknown> = {};
      while (answered.length > 0) {
        const some = answered.splice(0, 8).map(async (status) => {
          told[status] = await graphql(toWrite(field, 'id'), {}, toBearer(toToken(status)));
        });
        await Promise.all(some);
      }

      const truth = statuses.map((status) => [status, toTruth(field, status, stores)]);
      const expected = Object.fromEntries(truth) as Record<number, unknown>;
      if (!stores) delete expected[204];
      expect(told).toEqual(expected);
      expect(JSON.stringify(told)).not.toMatch(/NOT_SENT|nothing was/i);
      const seen = Object.values(await api.see(prefix));
      expect(seen.map(({ calls }) => calls.map((call) => call.request))).toEqual(
        Object.keys(told).map(() => [request]),
      );
      expect(seen.every(({ stored }) => stored.length === (stores ? 1 : 0))).toBe(true);
    },
  );
});
