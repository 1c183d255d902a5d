import { styleText } from 'node:util';
import type { Report, ReportedFinding } from './report.js';

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
