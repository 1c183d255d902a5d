import type { Assumption } from './assumption.js';
import type { Evidence } from './observation.js';
import { unknown, type Verdict } from './verdict.js';

/** An assumption with a verdict on it. */
export interface Finding extends Verdict {
  readonly assumption: Assumption;
}

/**
 * Judges each assumption. Nothing can be said of one that needs a refuted assumption: it is `UNKNOWN`, so that one lie of
 * an API is one refutation.
 */
export function toFindings(assumptions: readonly Assumption[], evidence: Evidence): Finding[] {
  const judged = assumptions.flatMap((assumption) =>
    judge(assumption, evidence).map((verdict) => toFinding(assumption, verdict)),
  );
  const refuted = new Set(
    judged.filter(({ verdict }) => verdict === 'REFUTED').map(({ assumption }) => assumption.id),
  );
  return judged.map((finding) => {
    const { needs } = finding.assumption;
    if (needs === undefined || !refuted.has(needs)) return finding;
    return toFinding(finding.assumption, unknown(`${needs} is refuted`));
  });
}

function judge({ check }: Assumption, evidence: Evidence): readonly Verdict[] {
  const verdicts = check?.(evidence) ?? {
    verdict: 'NOT PROBED',
    evidence: 'needs a write',
    requests: [],
  };
  return [verdicts].flat();
}

function toFinding(assumption: Assumption, verdict: Verdict): Finding {
  return { ...verdict, assumption };
}
