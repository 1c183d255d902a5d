import type { Assumption } from './assumption.js';
import type { Evidence } from './observation.js';
import { judgeEach, toReason, toStatus, type Verdict } from './verdict.js';

/** How the API says no. */
export const refusalAssumptions: readonly Assumption[] = [
  {
    id: 'auth.none',
    claim: 'Without a token the answer is 401.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/failures.ts',
    needs: 'read.exists',
    consequence: 'Works all the same: the gateway sends no call without a token.',
    change: 'Nothing.',
    check: (evidence) => judgeRefusal(evidence, 'auth.none', 401),
  },
  {
    id: 'auth.wrong',
    claim: 'With a wrong token the answer is 401.',
    source: 'assumed',
    access: 'reads',
    place: 'rest/failures.ts',
    needs: 'read.exists',
    consequence:
      'A client with an expired token is not told `UNAUTHENTICATED`, and so does not know that it needs a new one.',
    change: 'Map the status to `UNAUTHENTICATED` in rest/failures.ts.',
    check: (evidence) => judgeRefusal(evidence, 'auth.wrong', 401),
  },
  {
    id: 'error.not-found',
    claim: 'An id that no study has is answered with 404.',
    source: 'assumed',
    access: 'reads',
    place: 'study/study.api.ts',
    needs: 'read.exists',
    consequence: '`study` is an error where it should be `null`.',
    change: 'Compare with the status in `find` of study/study.api.ts.',
    check: (evidence) => judgeRefusal(evidence, 'read.unknown', 404),
  },
  {
    id: 'error.validation',
    claim: 'A 422 has the body `{"detail":[{"loc":[…],"msg":"…"}]}` of the FastAPI family.',
    source: 'inferred',
    access: 'reads',
    place: 'rest/validation-details.ts',
    consequence:
      'Errors of refused writes have no `fieldErrors`; their code and outcome are right.',
    change: 'Describe the body in `fastApiErrorSchema` of rest/validation-details.ts.',
    check: (evidence) =>
      judgeEach(
        evidence.observations.filter(({ status }) => status === 422),
        ({ isFastApiError }) => (isFastApiError ? undefined : 'another body'),
        `no 422: a bad id was ${toReason(evidence, 'read.bad-id')}`,
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
