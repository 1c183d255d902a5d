import { expect, expectTypeOf, it } from 'vitest';
import { matchProblem, studyProblem, type StudyProblem } from 'study-gateway-client';

type AppliedProblem = Extract<StudyProblem, { kind: 'applied' }>;

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

it('hands each case its own problem, and returns what the cases do', () => {
  const problem = studyProblem(answer('APPLIED'));

  const matched = matchProblem(problem, {
    notSent: () => undefined,
    rejected: () => undefined,
    applied: (own) => {
      expectTypeOf(own).toEqualTypeOf<AppliedProblem>();
      return own;
    },
    unknown: () => undefined,
    readFailed: () => undefined,
  });

  expectTypeOf(matched).toEqualTypeOf<AppliedProblem | undefined>();
  expect(matched).toBe(problem);
});

// Compiled by `npm run check`, never run.
export function leaveOneOut(problem: StudyProblem): string {
  // @ts-expect-error: `unknown` is left out
  return matchProblem(problem, {
    notSent: () => '',
    rejected: () => '',
    applied: () => '',
    readFailed: () => '',
  });
}

export function addOne(problem: StudyProblem): string {
  return matchProblem(problem, {
    notSent: () => '',
    rejected: () => '',
    applied: () => '',
    unknown: () => '',
    readFailed: () => '',
    // @ts-expect-error: there is no such kind
    offline: () => '',
  });
}
