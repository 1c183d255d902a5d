import { styleText } from 'node:util';
import type { OperationName } from 'study-gateway-contract';
import type { Evidence } from './evidence.js';
import type { LeftBehind } from './journal.js';
import { NOT_ASKED, type Judged } from './statements.js';

export type Report = ReturnType<typeof toReport>;

/** Returns the report of a run. Programs read it as JSON: add members, but neither rename nor remove one. */
export function toReport(
  judged: readonly Judged[],
  evidence: Evidence,
  file: object,
  leftBehind: readonly LeftBehind[],
) {
  return {
    operations: Object.fromEntries(
      operations.map(([name, id]) => [name, toState(name, id, judged, evidence)]),
    ),
    statements: judged.map(({ exchanges = [], lines = [], ...statement }) => ({
      ...statement,
      requests: exchanges.map(({ number }) => number),
      // JSON has no `undefined`: `null` removes a line.
      contract: lines.map(({ at, value = null }) => ({ at, value })),
    })),
    requests: evidence.exchanges.map(({ number, step, method, shown, status, bytes, ms }) => ({
      number,
      step,
      method,
      path: shown,
      status: status ?? null,
      bytes,
      ms,
    })),
    contract: file,
    leftBehind,
    stopped: evidence.stopped ?? null,
  };
}

/** Operations, each with the statement that it is there. */
const operations: readonly (readonly [OperationName, id: string])[] = [
  ['createStudy', 'create.exists'],
  ['editStudy', 'edit.exists'],
  ['study', 'read.exists'],
  ['studies', 'list.exists'],
];

function toState(
  name: OperationName,
  exists: string,
  judged: readonly Judged[],
  { contract, written }: Evidence,
): string {
  if (contract.operations[name] === false) return 'not there, as the contract says';
  const about = judged.filter((one) => one.operations.includes(name));
  const failed = about.find((one) => one.is === 'fails');
  if (failed) return `will not work: ${failed.seen}`;
  const lines = about.flatMap((one) => one.lines ?? []);
  if (lines.some(({ at, value }) => at === `/operations/${name}` && value === false))
    return 'not there';
  if (name.endsWith('Study') && !written) return 'not asked: needs --write';
  const { is = 'open', seen = 'not asked' } = judged.find(({ id }) => id === exists) ?? {};
  if (is === 'open') return `not known: ${seen}`;
  const found = about.filter((one) => one.is === 'differs' || one.is === 'settle');
  const except = [...new Set(found.map(({ id }) => id))];
  return except.length === 0 ? 'works' : `works, except ${except.join(', ')}`;
}

const labels = [
  ['fails', 'FAILS', 'red'],
  ['differs', 'DIFFERS', 'red'],
  ['settle', 'SETTLE', 'yellow'],
  ['note', 'NOTE', 'cyan'],
] as const;

/** Returns the report as text: operations, findings by severity, what is open, and a summary. */
export function toTable(
  { operations: states, statements, requests, leftBehind, stopped }: Report,
  isColored: boolean,
): string {
  const lines = stopped === null ? [] : [wrap(`The probe stopped: ${stopped}.`, 0)];
  // Without any answer there is nothing more to say.
  if (requests.every(({ status }) => status === null)) return `${lines.join('\n')}\n`;
  for (const [name, state] of Object.entries(states)) lines.push(wrap(name.padEnd(13) + state, 13));
  for (const [is, label, color] of labels)
    for (const one of statements.filter((statement) => statement.is === is)) {
      const title = wrap(`${label.padEnd(9)}${one.id}: ${one.claim}`, 9);
      lines.push('', isColored ? title.replace(label, styleText(color, label)) : title);
      lines.push(...toDetails(one, requests).map((text) => wrap(' '.repeat(9) + text, 11)));
    }
  const open = statements.filter(({ is, seen }) => is === 'open' && seen !== NOT_ASKED);
  const unasked = statements.filter(({ seen }) => seen === NOT_ASKED).length;
  const hold = statements.filter(({ is }) => is === 'so').length;
  const writes = requests.filter(({ method }) => method !== 'GET').length;
  // One cause, one line.
  for (const [cause, same] of Map.groupBy(open, toSeen))
    lines.push('', wrap(`OPEN     ${same.map(({ id }) => id).join(', ')}: ${cause}`, 9));
  const kinds = writes === 0 ? 'all GET' : `${writes} of them writes`;
  lines.push('', `${hold} statements hold. ${requests.length} requests, ${kinds}.`);
  if (unasked > 0) lines.push(`${unasked} more statements need --write.`);
  if (leftBehind.length > 0) lines.push('', 'Left behind, also by earlier runs:');
  for (const { id, api, marker } of leftBehind) {
    const study = id === null ? 'A study may exist' : `Study ${id}`;
    lines.push(wrap(`  ${study} at ${api}, described "${marker}"`, 4));
  }
  return `${lines.join('\n')}\n`;
}

type Reported = Report['statements'][number];

function toSeen({ seen, restsOn }: Reported): string {
  return seen + (restsOn === undefined ? '' : `, rests on ${restsOn}`);
}

function toDetails(one: Reported, requests: Report['requests']): string[] {
  const { requests: numbers, contract, advice } = one;
  const shown = numbers.slice(0, 3).join(', #') + (numbers.length > 3 ? ' …' : '');
  const first = requests.find(({ number }) => number === numbers[0]);
  const example = first ? ` (#${shown}: ${first.method} ${first.path})` : '';
  const changes = contract.map(({ at, value }) =>
    value === null ? `Contract: remove ${at}` : `Contract: ${at}: ${JSON.stringify(value)}`,
  );
  return [`Seen: ${toSeen(one)}${example}`, ...changes, ...(advice ? [advice] : [])];
}

const WIDTH = 80;

/** Breaks a line at its spaces. Each line after the first one is indented. */
function wrap(text: string, indent: number): string {
  if (text.length <= WIDTH) return text;
  const end = text.lastIndexOf(' ', WIDTH);
  const at = end > indent ? end : text.indexOf(' ', WIDTH);
  if (at < 0) return text;
  return `${text.slice(0, at)}\n${wrap(' '.repeat(indent) + text.slice(at + 1), indent)}`;
}
