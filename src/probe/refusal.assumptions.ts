import type { Assumption } from './assumption.js';
import type { Evidence } from './observation.js';
import { judgeEach, toReason, toStatus, type Verdict } from './verdict.js';

/** Assumptions about the error responses of the API. */
export const refusalAssumptions: readonly Assumption[] = [
  {
    id: 'auth.none',
    claim: 'A request without a token is answered with 401.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/failures.ts',
    needs: 'read.exists',
    consequence: 'No effect: the gateway makes no call without a token.',
    change: 'Nothing.',
    check: (evidence) => judgeRefusal(evidence, 'auth.none', 401),
  },
  {
    id: 'auth.wrong',
    claim: 'A request with a wrong token is answered with 401.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/failures.ts',
    needs: 'read.exists',
    consequence:
      'A client with an expired token does not get `UNAUTHENTICATED`, so it cannot tell that it needs a new token.',
    change: 'Map the status to `UNAUTHENTICATED` in rest/failures.ts.',
    check: (evidence) => judgeRefusal(evidence, 'auth.wrong', 401),
  },
  {
    id: 'error.not-found',
    claim: 'A read of an unknown id is answered with 404.',
    source: 'assumed',
    access: 'reads',
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
    access: 'reads',
    place: 'study/refusal-body.ts',
    consequence:
      'Errors of rejected writes have no `fieldErrors` unless the body has another form of docs/study-api.md; code and outcome are still correct.',
    change: 'Read the body in study/refusal-body.ts, unless the gateway already reads its form.',
    check: (evidence) =>
      judgeEach(
        evidence.observations.filter(({ status }) => status === 422),
        ({ isFastApiError }) => (isFastApiError ? undefined : 'another body'),
        `no 422; request with a malformed id: ${toReason(evidence, 'read.bad-id')}`,
      ),
  },
];

function judgeRefusal(evidence: Evidence, step: string, status: number): Verdict {
  return judgeEach(
    evidence.observations.filter((one) => one.step === step),
    (one) => (one.status === status ? undefined : toStatus(one)),
    toReason(evidence, step),
  );
}
