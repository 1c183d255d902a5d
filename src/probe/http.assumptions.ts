import type { Assumption } from './assumption.js';
import { isSuccess, toAnswers, type Evidence, type Observation } from './observation.js';
import { steps } from './steps.js';
import { judgeEach, toStatus } from './verdict.js';

const none = 'no answer';

/** The observations with a whole answer, of any status. */
function toAnswered({ observations }: Evidence): Observation[] {
  return observations.filter(({ status, failure }) => status !== undefined && !failure);
}

function toMost(observations: readonly Observation[], name: 'ms' | 'bytes'): string {
  const most = Math.ceil(Math.max(...observations.map((one) => one[name])));
  return most.toLocaleString('en');
}

/** How the API answers, whatever it is asked. */
export const httpAssumptions: readonly Assumption[] = [
  {
    id: 'http.no-redirect',
    claim: 'No operation is answered with a redirect.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/exchange.ts',
    consequence: 'No redirect is followed: the operation fails with `UPSTREAM_CONTRACT`.',
    change:
      'Set `STUDY_API_URL` to the final address; a slash behind a path is added in study/study.api.ts.',
    check: (evidence) =>
      judgeEach(
        toAnswered(evidence),
        ({ status = 0 }) => (status >= 300 && status < 400 ? String(status) : undefined),
        none,
      ),
  },
  {
    id: 'http.status',
    claim: 'A successful read is answered with 200.',
    source: 'reference',
    access: 'reads',
    place: 'rest/rest-client.ts',
    consequence: 'Works all the same: any 2xx is a success.',
    change: 'Nothing.',
    check: (evidence) =>
      judgeEach(
        evidence.observations.filter(isSuccess),
        (one) => (one.status === 200 ? undefined : toStatus(one)),
        none,
      ),
  },
  {
    id: 'http.media-type',
    claim: 'A success has the content type `application/json`.',
    source: 'document',
    access: 'reads',
    place: 'rest/exchange.ts',
    consequence:
      'Works all the same for JSON; of a write whose answer is unreadable HTML or text, the outcome is `UNKNOWN`.',
    change: 'Nothing, or the content type in what stands before the API.',
    check: (evidence) =>
      judgeEach(
        evidence.observations.filter(isSuccess),
        ({ mediaType }) =>
          mediaType === 'application/json' ? undefined : `${mediaType} as content type`,
        none,
      ),
  },
  {
    id: 'http.encoding',
    claim: 'An answer is not compressed, or by gzip, deflate, br or zstd.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/json-body.ts',
    consequence: 'The answer is unreadable: `UPSTREAM_CONTRACT`, and a write is `APPLIED`.',
    change: 'Add the encoding to `decoders` in rest/json-body.ts.',
    check: (evidence) => {
      const answered = toAnswered(evidence);
      const found = new Set(
        answered.map(({ encoding }) => (encoding === 'none' ? 'not compressed' : encoding)),
      );
      return judgeEach(
        answered,
        ({ encoding }) => (encoding === 'another' ? 'another encoding' : undefined),
        none,
        `, ${[...found].join(' and ')}`,
      );
    },
  },
  {
    id: 'http.size',
    claim: 'An answer is no longer than `STUDY_API_MAX_ANSWER_BYTES`.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/exchange.ts',
    consequence: 'The answer is cut off: `UPSTREAM_CONTRACT`, and a write is `APPLIED`.',
    change: 'Set `STUDY_API_MAX_ANSWER_BYTES` higher, and `STUDY_API_ANSWER_BUDGET_BYTES` with it.',
    check: ({ observations }) =>
      judgeEach(
        observations.filter(({ status }) => status !== undefined),
        ({ failure }) => (failure?.name === 'unreadableAnswer' ? 'too long' : undefined),
        none,
        `, ${toMost(observations, 'bytes')} bytes at most`,
      ),
  },
  {
    id: 'http.time',
    claim: 'A whole answer comes within `STUDY_API_TIMEOUT_MS`.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/exchange.ts',
    consequence: 'The operation fails with `UPSTREAM_TIMEOUT`, and a write is `UNKNOWN`.',
    change: 'Set `STUDY_API_TIMEOUT_MS` higher.',
    check: ({ observations }) =>
      judgeEach(
        observations.filter(({ status, failure }) => status ?? failure?.name.startsWith('timeout')),
        ({ failure }) => (failure?.name.startsWith('timeout') ? 'too late' : undefined),
        none,
        `, ${toMost(observations, 'ms')} ms at most`,
      ),
  },
  {
    id: 'http.retry-after',
    claim: '`Retry-After` is a number of seconds or an HTTP date.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/retry-after.ts',
    consequence: 'Clients are not told how long to wait.',
    change: 'Read the form in rest/retry-after.ts.',
    check: ({ observations }) =>
      judgeEach(
        observations.filter(({ retryAfter }) => retryAfter !== undefined),
        ({ retryAfter }) => (retryAfter === 'neither' ? 'another form' : undefined),
        'no answer had one',
      ),
  },
  {
    id: 'auth.bearer',
    claim: 'The token is accepted as `Authorization: Bearer`.',
    source: 'document',
    access: 'reads',
    place: 'rest/rest-client.ts',
    consequence: 'Every operation fails with `UNAUTHENTICATED`.',
    change: 'Write the header in `toHeaders` of rest/rest-client.ts.',
    check: (evidence) => {
      const withToken = steps.filter(({ token }) => token === undefined).map(({ id }) => id);
      return judgeEach(toAnswers(evidence, ...withToken), () => undefined, 'no success');
    },
  },
];
