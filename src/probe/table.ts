import { styleText } from 'node:util';
import type { Report, ReportedFinding } from './report.js';
import type { VerdictName } from './verdict.js';

/** What matters most comes last, next to the prompt. */
const order: readonly VerdictName[] = ['CONFIRMED', 'NOT PROBED', 'UNKNOWN', 'NEW', 'REFUTED'];

const colors = {
  CONFIRMED: 'green',
  'NOT PROBED': 'gray',
  UNKNOWN: 'yellow',
  NEW: 'cyan',
  REFUTED: 'red',
} as const;

/** Few claims are longer; the columns behind those are pushed to the right. */
const CLAIM_WIDTH = 72;
const VERDICT_WIDTH = 'NOT PROBED'.length + 2;

/** The report for a person: a line for each finding, and three more below a refutation. */
export function toTable(
  { findings, counts, requests, stopped }: Report,
  isColored: boolean,
): string {
  const lines = order.flatMap((verdict) =>
    findings
      .filter((finding) => finding.verdict === verdict)
      .flatMap((finding) => toLines(finding, isColored)),
  );
  const summary = order
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict.toLowerCase()}`);
  const sent = requests.length === 1 ? '1 request, a GET' : `${requests.length} requests, all GET`;
  const ending = stopped === null ? '' : `\nThe probe stopped: ${stopped}.`;
  return `${lines.join('\n')}\n\n${summary.join(', ')}; ${sent}.${ending}\n`;
}

function toLines(finding: ReportedFinding, isColored: boolean): string[] {
  const { verdict, claim, evidence, requests, place, refutation } = finding;
  const name = verdict.padEnd(VERDICT_WIDTH);
  const columns = [
    toPlain(claim).replace(/\.$/, '').padEnd(CLAIM_WIDTH),
    toPlain(evidence),
    ...(refutation ? [toNumbers(requests), place] : []),
  ];
  const line = (isColored ? styleText(colors[verdict], name) : name) + columns.join('   ');
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

/** Backticks are for documents. */
function toPlain(text: string): string {
  return text.replaceAll('`', '');
}

/** `GET #3, #6`, or `GET #3, #6, #7, …`. */
function toNumbers(requests: readonly number[]): string {
  const shown = requests.slice(0, 3).map((number) => `#${number}`);
  return `GET ${shown.join(', ')}${requests.length > shown.length ? ', …' : ''}`;
}
