import { expect, expectTypeOf, it } from 'vitest';
import { matchProblem, studyProblem, type StudyProblem } from 'study-gateway-client';

const answer = (outcome?: string) => ({
  errors: [{ message: '', extensions: { outcome, retryable: false } }],
});

it.for([
  ['NOT_SENT', 'not sent, try again'],
  ['REJECTED', 'refused'],
  ['APPLIED', 'stored, but the answer was damaged'],
  ['UNKNOWN', 'check before you repeat'],
  [undefined, 'could not be read'],
] as const)('takes the case of %s', ([outcome, face]) => {
  const shown = matchProblem(studyProblem(answer(outcome)), {
    notSent: () => 'not sent, try again',
    rejected: () => 'refused',
    applied: () => 'stored, but the answer was damaged',
    unknown: () => 'check before you repeat',
    readFailed: () => 'could not be read',
  });

  expect(shown).toBe(face);
});

// Compiled by `npm run check`, never run.
export function leaveOneOut(problem: StudyProblem): string | undefined {
  // @ts-expect-error: `unknown` is left out
  return matchProblem<string | undefined>(problem, {
    notSent: () => '',
    rejected: () => '',
    applied: (own) => {
      expectTypeOf(own.outcome).toEqualTypeOf<'APPLIED'>();
      return own.studyId;
    },
    readFailed: () => '',
  });
}
