import type { Finding } from './findings.js';
import type { Evidence, Observation } from './observation.js';
import { steps, toCurl } from './steps.js';
import type { VerdictName } from './verdict.js';

/** All that a run has to say. Other programs read it as JSON: keys are added, and never change. */
export interface Report {
  /** Requests sent. */
  readonly requests: readonly {
    readonly number: number;
    /** With `$STUDY_ID` and `$PROJECT_ID` in place of ids. */
    readonly path: string;
    readonly origin: string | undefined;
    readonly status: number | undefined;
    readonly bytes: number;
    readonly ms: number;
  }[];
  readonly findings: readonly ReportedFinding[];
  readonly counts: Readonly<Record<VerdictName, number>>;
  /** Why the probe ended before its last request; `null` when it did not. */
  readonly stopped: string | null;
}

export interface ReportedFinding {
  readonly id: string;
  readonly verdict: VerdictName;
  readonly claim: string;
  readonly source: string;
  readonly access: 'reads' | 'writes';
  readonly evidence: string;
  readonly requests: readonly number[];
  readonly place: string;
  /** Of a refutation only. */
  readonly refutation?: {
    readonly consequence: string;
    readonly change: string;
    /** A line for a shell that shows one counterexample. */
    readonly curl: string;
  };
}

export function toReport(
  findings: readonly Finding[],
  { observations, stopped }: Evidence,
  baseUrl: URL,
): Report {
  const counts = { CONFIRMED: 0, REFUTED: 0, UNKNOWN: 0, NEW: 0, 'NOT PROBED': 0 };
  for (const { verdict } of findings) counts[verdict] += 1;
  return {
    requests: observations.map(({ number, step, origin, status, bytes, ms }) => {
      const { path } = toStep(step);
      return { number, path, origin, status, bytes, ms: Math.ceil(ms) };
    }),
    findings: findings.map((finding) => toReported(finding, observations, baseUrl)),
    counts,
    stopped: stopped ?? null,
  };
}

function toReported(
  { assumption, ...verdict }: Finding,
  observations: readonly Observation[],
  baseUrl: URL,
): ReportedFinding {
  const { id, claim, source, access, place } = assumption;
  const { consequence, change } = verdict.refutation ?? assumption;
  const example = observations.find(({ number }) => verdict.requests.includes(number));
  return {
    id,
    verdict: verdict.verdict,
    claim: verdict.claim ?? claim,
    source,
    access,
    evidence: verdict.evidence,
    requests: verdict.requests,
    place,
    ...(verdict.verdict === 'REFUTED' &&
      example && { refutation: { consequence, change, curl: toExample(example, baseUrl) } }),
  };
}

/** The line says as a comment whose id `$STUDY_ID` stands for. */
function toExample({ step, origin }: Observation, baseUrl: URL): string {
  const variable = toStep(step).path.includes('$STUDY_ID') ? 'STUDY_ID' : 'PROJECT_ID';
  const comment = origin === undefined ? '' : `  # $${variable}: ${origin}`;
  return toCurl(toStep(step), baseUrl) + comment;
}

function toStep(id: string) {
  return steps.find((step) => step.id === id)!;
}
