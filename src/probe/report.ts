import type { Evidence, Observation } from './observation.js';
import { steps, toCurl } from './steps.js';
import { unknown, type Assumption, type Verdict } from './verdict.js';

export type Report = ReturnType<typeof toReport>;

export type ReportedFinding = ReturnType<typeof toReported>;

/** An assumption, and the verdict on it. */
interface Finding extends Verdict {
  readonly assumption: Assumption;
}

/** Returns the report of one run. Other programs read it as JSON, so keys may be added but not renamed or removed. */
export function toReport(
  assumptions: readonly Assumption[],
  { observations, stopped }: Evidence,
  baseUrl: URL,
) {
  const findings = toFindings(assumptions, { observations, stopped });
  const counts = { CONFIRMED: 0, REFUTED: 0, UNKNOWN: 0, NEW: 0, 'NOT PROBED': 0 };
  for (const { verdict } of findings) counts[verdict] += 1;
  return {
    requests: observations.map(({ number, step, origin, status, bytes, ms }) => {
      // Path and query, with the placeholders `$STUDY_ID` and `$PROJECT_ID` instead of ids.
      const { path } = toStep(step);
      return { number, path, origin, status, bytes, ms: Math.ceil(ms) };
    }),
    findings: findings.map((finding) => toReported(finding, observations, baseUrl)),
    counts,
    /** Why the probe stopped early; `null` if it ran to its end. */
    stopped: stopped ?? null,
  };
}

/**
 * Judges each assumption. An assumption that needs a refuted one is `UNKNOWN`, so that one deviation of an API causes
 * only one refutation.
 */
function toFindings(assumptions: readonly Assumption[], evidence: Evidence): Finding[] {
  const judged = assumptions.flatMap((assumption) => {
    const verdicts = assumption.check?.(evidence) ?? notProbed;
    return [verdicts].flat().map((verdict) => toFinding(assumption, verdict));
  });
  const refuted = new Set(
    judged.filter(({ verdict }) => verdict === 'REFUTED').map(({ assumption }) => assumption.id),
  );
  return judged.map((finding) => {
    const { assumption } = finding;
    if (assumption.needs === undefined || !refuted.has(assumption.needs)) return finding;
    return toFinding(assumption, unknown(`${assumption.needs} is refuted`));
  });
}

function toFinding(assumption: Assumption, verdict: Verdict): Finding {
  return { ...verdict, assumption };
}

const notProbed: Verdict = { verdict: 'NOT PROBED', evidence: 'needs a write', requests: [] };

function toReported(
  { assumption, ...verdict }: Finding,
  observations: readonly Observation[],
  baseUrl: URL,
) {
  const { id, claim, source, place, check } = assumption;
  const { consequence, change } = verdict.refutation ?? assumption;
  const example = observations.find(({ number }) => verdict.requests.includes(number));
  return {
    id,
    verdict: verdict.verdict,
    claim: verdict.claim ?? claim,
    source,
    /** Kind of request that a check needs. The probe sends no writes. */
    access: check ? 'reads' : 'writes',
    evidence: verdict.evidence,
    requests: verdict.requests,
    place,
    // `curl` shows one counterexample.
    ...(verdict.verdict === 'REFUTED' &&
      example && { refutation: { consequence, change, curl: toExample(example, baseUrl) } }),
  };
}

/** Returns the request as a curl command. A comment says where the id that the shell must fill in comes from. */
function toExample({ step, origin }: Observation, baseUrl: URL): string {
  const variable = toStep(step).path.includes('$STUDY_ID') ? 'STUDY_ID' : 'PROJECT_ID';
  const comment = origin === undefined ? '' : `  # $${variable}: ${origin}`;
  return toCurl(toStep(step), baseUrl) + comment;
}

function toStep(id: string) {
  return steps.find((step) => step.id === id)!;
}
