/** Whether all tests run, as in the daily job: `npm run test:slow` sets DAILY=1. */
const isDaily = process.env['DAILY'] === '1';

/**
 * Defines tests that only the daily job runs. Elsewhere they do not exist, so the report counts none of them as skipped.
 * One test of each kind stays outside.
 */
export function daily(define: () => void): void {
  if (isDaily) define();
}

/** Returns all rows of a matrix in the daily job, elsewhere the first one and every `step`-th after it. */
export function everyNth<Row>(step: number, rows: readonly Row[]): readonly Row[] {
  return isDaily ? rows : rows.filter((_, index) => index % step === 0);
}

/** Returns `all` rows of a matrix in the daily job, elsewhere `few`: one row of each kind. */
export function allDaily<const All, const Few>(all: All, few: Few): All | Few {
  return isDaily ? all : few;
}
