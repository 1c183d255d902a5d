import { isSuccess, toAnswers, type Evidence, type Observation } from './observation.js';
import { steps } from './steps.js';
import { judge, toReason, toStatus, type Assumption, type Verdict } from './verdict.js';

/** Returns the observations with a complete answer of any status. */
function toAnswered({ observations }: Evidence): Observation[] {
  return observations.filter(({ status, failure }) => status !== undefined && !failure);
}

function toMost(observations: readonly Observation[], name: 'ms' | 'bytes'): string {
  const most = Math.ceil(Math.max(...observations.map((one) => one[name])));
  return most.toLocaleString('en');
}

/** Assumptions about every answer of the API, and about its error answers. */
export const httpAssumptions: readonly Assumption[] = [
  {
    id: 'http.no-redirect',
    claim: 'The API answers no request with a redirect.',
    source: 'assumed',
    place: 'rest-outcome/exchange.ts',
    consequence: 'The gateway follows no redirects: the operation fails with `UPSTREAM_CONTRACT`.',
    change:
      'Set `STUDY_API_URL` to the final address. If paths must end in a slash, add it in study/study.api.ts.',
    check: (evidence) =>
      judge(toAnswered(evidence), ({ status = 0 }) =>
        status >= 300 && status < 400 ? String(status) : undefined,
      ),
  },
  {
    id: 'http.status',
    claim: 'A successful read is answered with 200.',
    source: 'reference',
    place: 'rest-outcome/client.ts',
    consequence: 'No effect: any 2xx is a success.',
    change: 'Nothing.',
    check: ({ observations }) =>
      judge(observations.filter(isSuccess), (one) =>
        one.status === 200 ? undefined : toStatus(one),
      ),
  },
  {
    id: 'http.media-type',
    claim: 'A successful answer has the content type `application/json`.',
    source: 'document',
    place: 'rest-outcome/exchange.ts',
    consequence:
      'No effect if the body is JSON. If it is HTML or plain text, the outcome of a write is `UNKNOWN`.',
    change: 'Nothing, or correct the content type in the proxy in front of the API.',
    check: ({ observations }) =>
      judge(observations.filter(isSuccess), ({ mediaType }) =>
        mediaType === 'application/json' ? undefined : `${mediaType} as content type`,
      ),
  },
  {
    id: 'http.encoding',
    claim: 'An answer is uncompressed, or compressed with gzip, deflate, br or zstd.',
    source: 'assumed',
    place: 'rest-outcome/evidence.ts',
    consequence:
      'The operation fails with `UPSTREAM_CONTRACT`; the outcome of a write is `APPLIED`.',
    change: 'Add the encoding to `decoders` in rest-outcome/evidence.ts.',
    check: (evidence) => {
      const answered = toAnswered(evidence);
      const found = new Set(
        answered.map(({ encoding }) => (encoding === 'none' ? 'uncompressed' : encoding)),
      );
      return judge(
        answered,
        ({ encoding }) => (encoding === 'another' ? 'another encoding' : undefined),
        'no answer',
        `, ${[...found].join(' and ')}`,
      );
    },
  },
  {
    id: 'http.size',
    claim: 'An answer is no longer than `STUDY_API_MAX_ANSWER_BYTES`.',
    source: 'assumed',
    place: 'rest-outcome/exchange.ts',
    consequence:
      'The operation fails with `UPSTREAM_CONTRACT`; the outcome of a write is `APPLIED`.',
    change:
      'Raise `STUDY_API_MAX_ANSWER_BYTES`, and `STUDY_API_ANSWER_BUDGET_BYTES` to at least that.',
    check: ({ observations }) =>
      judge(
        observations.filter(({ status }) => status !== undefined),
        ({ failure }) => (failure?.name === 'unreadableAnswer' ? 'too long' : undefined),
        'no answer',
        `, ${toMost(observations, 'bytes')} bytes at most`,
      ),
  },
  {
    id: 'http.time',
    claim: 'A complete answer arrives within `STUDY_API_TIMEOUT_MS`.',
    source: 'assumed',
    place: 'rest-outcome/exchange.ts',
    consequence:
      'The operation fails with `UPSTREAM_TIMEOUT`; the outcome of a write is `UNKNOWN`.',
    change: 'Raise `STUDY_API_TIMEOUT_MS`.',
    check: ({ observations }) =>
      judge(
        observations.filter(({ status, failure }) => status ?? failure?.name.startsWith('timeout')),
        ({ failure }) => (failure?.name.startsWith('timeout') ? 'too late' : undefined),
        'no answer',
        `, ${toMost(observations, 'ms')} ms at most`,
      ),
  },
  {
    id: 'http.retry-after',
    claim: '`Retry-After` is a number of seconds or an HTTP date.',
    source: 'assumed',
    place: 'rest-outcome/answer.ts',
    consequence: 'Clients are not told how long to wait.',
    change: 'Parse the format in rest-outcome/answer.ts.',
    check: ({ observations }) =>
      judge(
        observations.filter(({ retryAfter }) => retryAfter !== undefined),
        ({ retryAfter }) => (retryAfter === 'neither' ? 'another format' : undefined),
        'no answer had the header',
      ),
  },
  {
    id: 'auth.bearer',
    claim: 'The API accepts the token in the header `Authorization: Bearer`.',
    source: 'document',
    place: 'rest-outcome/client.ts',
    consequence: 'Every operation fails with `UNAUTHENTICATED`.',
    change: 'Send the header that the API expects in `toHeaders` of rest-outcome/client.ts.',
    check: (evidence) => {
      const withToken = steps.filter(({ token }) => token === undefined).map(({ id }) => id);
      return judge(toAnswers(evidence, ...withToken), () => undefined, 'no success');
    },
  },
  {
    id: 'auth.none',
    claim: 'A request without a token is answered with 401.',
    source: 'assumed',
    place: 'rest-outcome/failures.ts',
    needs: 'read.exists',
    consequence: 'No effect: the gateway makes no call without a token.',
    change: 'Nothing.',
    check: (evidence) => judgeRefusal(evidence, 'auth.none', 401),
  },
  {
    id: 'auth.wrong',
    claim: 'A request with a wrong token is answered with 401.',
    source: 'assumed',
    place: 'rest-outcome/failures.ts',
    needs: 'read.exists',
    consequence:
      'A client with an expired token does not get `UNAUTHENTICATED`, so it cannot tell that it needs a new token.',
    change: 'Map the status to `UNAUTHENTICATED` in rest-outcome/failures.ts.',
    check: (evidence) => judgeRefusal(evidence, 'auth.wrong', 401),
  },
  {
    id: 'error.not-found',
    claim: 'A read of an unknown id is answered with 404.',
    source: 'assumed',
    place: 'study/study.api.ts',
    needs: 'read.exists',
    consequence: '`study` fails with an error instead of returning `null`.',
    change: 'Replace 404 by the actual status in `find` of study/study.api.ts.',
    check: (evidence) => judgeRefusal(evidence, 'read.unknown', 404),
  },
  {
    id: 'error.validation',
    claim: 'The body of a 422 is `{"detail":[{"loc":[…],"msg":"…"}]}`, as in FastAPI.',
    source: 'inferred',
    place: 'study/refusal-body.ts',
    consequence:
      'Errors of rejected writes have no `fieldErrors` unless the body has another form of docs/study-api.md; code and outcome are still correct.',
    change: 'Read the body in study/refusal-body.ts, unless the gateway already reads its form.',
    check: (evidence) =>
      judge(
        evidence.observations.filter(({ status }) => status === 422),
        ({ isFastApiError }) => (isFastApiError ? undefined : 'another body'),
        `no 422; request with a malformed id: ${toReason(evidence, 'read.bad-id')}`,
      ),
  },
];

function judgeRefusal(evidence: Evidence, step: string, status: number): Verdict {
  return judge(
    evidence.observations.filter((one) => one.step === step),
    (one) => (one.status === status ? undefined : toStatus(one)),
    toReason(evidence, step),
  );
}
