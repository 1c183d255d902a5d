import { styleText } from 'node:util';
import type { Evidence, Observation } from './observation.js';
import { steps, toCurl } from './steps.js';
import { unknown, type Assumption, type Refutation, type Verdict } from './verdict.js';

export type Report = ReturnType<typeof toReport>;

export type ReportedFinding = Report['findings'][number];

/** Returns the report of one run. Other programs read it as JSON, so keys may be added but not renamed or removed. */
export function toReport(assumptions: readonly Assumption[], evidence: Evidence, baseUrl: URL) {
  const { observations, stopped } = evidence;
  const findings = toFindings(assumptions, evidence);
  const counts = { CONFIRMED: 0, REFUTED: 0, UNKNOWN: 0, NEW: 0, 'NOT PROBED': 0 };
  for (const { verdict } of findings) counts[verdict.verdict] += 1;
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
function toFindings(assumptions: readonly Assumption[], evidence: Evidence) {
  const judged = assumptions.flatMap((assumption) => {
    const verdicts = [assumption.check?.(evidence) ?? notProbed].flat();
    return verdicts.map((verdict) => ({ assumption, verdict }));
  });
  const refuted = new Set(
    judged.flatMap(({ assumption: { id }, verdict }) => (verdict.verdict === 'REFUTED' ? id : [])),
  );
  return judged.map(({ assumption, verdict }) => {
    const { needs } = assumption;
    const isOpen = needs !== undefined && refuted.has(needs);
    return { assumption, verdict: isOpen ? unknown(`${needs} is refuted`) : verdict };
  });
}

const notProbed: Verdict = { verdict: 'NOT PROBED', evidence: 'needs a write', requests: [] };

function toReported(
  { assumption, verdict: judged }: ReturnType<typeof toFindings>[number],
  observations: readonly Observation[],
  baseUrl: URL,
) {
  const { id, source, place } = assumption;
  const { verdict, evidence, requests, claim = assumption.claim } = judged;
  const texts = judged.refutation ?? (assumption.check && assumption);
  const example = observations.find(({ number }) => requests.includes(number));
  return {
    id,
    verdict,
    claim,
    source,
    /** Kind of request that a check needs. The probe sends no writes. */
    access: assumption.check ? 'reads' : 'writes',
    evidence,
    requests,
    place,
    // `curl` shows one counterexample.
    ...(verdict === 'REFUTED' &&
      texts &&
      example && { refutation: toRefutation(texts, example, baseUrl) }),
  };
}

/** Returns the texts and the request as a curl command. A comment says where the id that the shell must fill in comes from. */
function toRefutation(
  { consequence, change }: Refutation,
  { step, origin }: Observation,
  baseUrl: URL,
) {
  const variable = toStep(step).path.includes('$STUDY_ID') ? 'STUDY_ID' : 'PROJECT_ID';
  const comment = origin === undefined ? '' : `  # $${variable}: ${origin}`;
  return { consequence, change, curl: toCurl(toStep(step), baseUrl) + comment };
}

function toStep(id: string) {
  return steps.find((step) => step.id === id)!;
}

/** Colors in the order of the findings. The most important verdict comes last, next to the prompt of the shell. */
const colors = [
  ['CONFIRMED', 'green'],
  ['NOT PROBED', 'gray'],
  ['UNKNOWN', 'yellow'],
  ['NEW', 'cyan'],
  ['REFUTED', 'red'],
] as const;

/** Width of the column of claims, in characters. A longer claim moves the next columns to the right. */
const CLAIM_WIDTH = 72;
const VERDICT_WIDTH = 'NOT PROBED'.length + 2;

/** Returns the report as text: a line for each finding, three more lines for each refutation, and a summary. */
export function toTable(
  { findings, counts, requests, stopped }: Report,
  isColored: boolean,
): string {
  const lines = colors.flatMap(([verdict, color]) =>
    findings
      .filter((finding) => finding.verdict === verdict)
      .flatMap((finding) => toLines(finding, isColored ? color : [])),
  );
  const summary = colors.flatMap(([verdict]) =>
    counts[verdict] > 0 ? `${counts[verdict]} ${verdict.toLowerCase()}` : [],
  );
  const sent = requests.length === 1 ? '1 request, a GET' : `${requests.length} requests, all GET`;
  const ending = stopped === null ? '' : `\nThe probe stopped: ${stopped}.`;
  return `${lines.join('\n')}\n\n${summary.join(', ')}; ${sent}.${ending}\n`;
}

function toLines(finding: ReportedFinding, color: Parameters<typeof styleText>[0]): string[] {
  const { verdict, claim, evidence, requests, place, refutation } = finding;
  const name = verdict.padEnd(VERDICT_WIDTH);
  const columns = [
    toPlain(claim).replace(/\.$/, '').padEnd(CLAIM_WIDTH),
    toPlain(evidence),
    ...(refutation ? [toNumbers(requests), place] : []),
  ];
  const line = styleText(color, name) + columns.join('   ');
  if (!refutation) return [line];
  const { consequence, change, curl } = refutation;
  const indent = ' '.repeat(VERDICT_WIDTH);
  return [
    line,
    `${indent}Gateway: ${toPlain(consequence)}`,
    `${indent}Change:  ${toPlain(change)}`,
    `${indent}See:     ${curl}`,
  ];
}

/** Removes backticks, which are Markdown. */
function toPlain(text: string): string {
  return text.replaceAll('`', '');
}

/** Returns the first three requests: `GET #3, #6`, or `GET #3, #6, #7, …` if there are more. */
function toNumbers(requests: readonly number[]): string {
  const shown = requests.slice(0, 3).map((number) => `#${number}`);
  return `GET ${shown.join(', ')}${requests.length > shown.length ? ', …' : ''}`;
}
