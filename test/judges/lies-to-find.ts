import type { Row } from './judged-probe.js';
import { liesOfAnswers } from './lies-of-answers.js';
import { liesOfForms } from './lies-of-forms.js';

/** Lies that a probe must find. */
export const mustFind = [...liesOfForms, ...liesOfAnswers];

/** One lie of each kind. */
export const few = new Set(
  (
    'request-snake answer-language swap-audiences-problems omit-audiences create-requires-two ' +
    'edit-refuses-interviews envelope-of-one pages-from-0 second-page-is-first total-wrong ' +
    'filter-first-id field-not-stored create-202-queued refusals-with-200 edit-creates ' +
    'body-html redirect-other-host nine-of-ten-forbidden dates-truncated edit-replaces ids-dots ' +
    'keys-honoured null-does-not-clear text-without-astral'
  ).split(' '),
);
/** Returns pairs of lies, the same in each run, of which neither hides the other. */
export function toPairs(count: number): [Row, Row][] {
  let seed = 20_261_123;
  const next = (): Row => {
    // Numerical Recipes' generator.
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return pairable[Math.floor((seed / 2 ** 32) * pairable.length)] as Row;
  };
  const pairs: [Row, Row][] = [];
  while (pairs.length < count) {
    const [one, other] = [next(), next()];
    if (toSubject(one) !== toSubject(other)) pairs.push([one, other]);
  }
  return pairs;
}
const pairable = mustFind.filter(({ hides }) => !hides);

/** Two lies about one field, or about lists, may hide each other. */
function toSubject({ lie, says: [fact] }: Row): string {
  return /^list|page|total|filter|size|order|parameter/.test(lie) ? 'list' : String(fact);
}
