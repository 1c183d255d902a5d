import { styleText } from 'node:util';
import type { Contract } from 'study-gateway-contract';
import type { OperationName } from 'study-gateway-contract';
import type { Evidence, Judgement } from './evidence.js';
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
      Object.entries(operations).map(([name, exists]) => [
        name,
        toState(judged, evidence, name, exists),
      ]),
    ),
    statements: judged.map(({ exchanges = [], lines = [], ...statement }) => ({
      ...statement,
      requests: exchanges.map(({ number }) => number),
      // JSON has no `undefined`: `null` removes a line.
      contract: lines.map(({ at, value = null }) => ({ at, value })),
    })),
    requests: evidence.exchanges.map(({ number, step, method, shown, status, bytes, ms }) => ({
      ...{ number, step, method, path: shown, status: status ?? null, bytes, ms },
    })),
    contract: file,
    leftBehind,
    stopped: evidence.stopped ?? null,
  };
}

/** Operations, each with the statement that it is there. */
const operations = {
  createStudy: 'create.exists',
  editStudy: 'edit.exists',
  study: 'read.exists',
  studies: 'list.exists',
} as const satisfies Record<OperationName, string>;

function toState(
  judged: readonly Judged[],
  { contract, written }: Evidence,
  name: string,
  exists: string,
): string {
  if (Object.entries(contract.operations).some((one) => one[0] === name && one[1] === false))
    return 'not there, as the contract says';
  const about = judged.filter((one) => one.operations.some((operation) => operation === name));
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

const WIDTH = 80;
const labels: readonly (readonly [Judgement, string, 'red' | 'yellow' | 'cyan' | 'gray'])[] = [
  ['fails', 'FAILS', 'red'],
  ['differs', 'DIFFERS', 'red'],
  ['settle', 'SETTLE', 'yellow'],
  ['note', 'NOTE', 'cyan'],
];

/** Returns the report as text: operations, findings by severity, what is open, and a summary. */
export function toTable(
  { operations, statements, requests, leftBehind, stopped }: Report,
  isColored: boolean,
): string {
  const lines = stopped === null ? [] : wrap(`The probe stopped: ${stopped}.`, 0);
  // Without any answer there is nothing more to say.
  if (requests.every(({ status }) => status === null)) return `${lines.join('\n')}\n`;
  for (const [name, state] of Object.entries(operations))
    lines.push(...wrap(`${name.padEnd(13)}${state}`, 13));
  for (const [is, label, color] of labels)
    for (const one of statements.filter(
      (statement) => statement.is === is && !isUnasked(statement),
    )) {
      const [first = '', ...more] = [
        ...wrap(`${label.padEnd(9)}${one.id}: ${one.claim}`, 9),
        ...toDetails(one, requests),
      ];
      lines.push('', isColored ? first.replace(label, styleText(color, label)) : first, ...more);
    }
  lines.push(...toOpen(statements));
  const count = (is: Judgement): number => statements.filter((one) => one.is === is).length;
  const unasked = statements.filter(isUnasked).length;
  const writes = requests.filter(({ method }) => method !== 'GET').length;
  lines.push(
    '',
    ...wrap(
      `${count('so')} statements hold. ${requests.length} requests, ${writes === 0 ? 'all GET' : `${writes} of them writes`}.`,
      0,
    ),
  );
  if (unasked > 0) lines.push(...wrap(`${unasked} more statements need --write.`, 0));
  if (leftBehind.length > 0) lines.push('', 'Left behind, also by earlier runs:');
  for (const { id, api, marker } of leftBehind)
    lines.push(
      ...wrap(
        `  ${id === null ? 'A study may exist' : `Study ${id}`} at ${api}, described "${marker}"`,
        4,
      ),
    );
  return `${lines.join('\n')}\n`;
}

/** Returns a line for each reason why statements are open: one cause, one line. */
function toOpen(statements: Report['statements']): string[] {
  const open = statements.filter((one) => one.is === 'open' && !isUnasked(one));
  const causes = Map.groupBy(open, ({ seen, restsOn }) =>
    restsOn === undefined ? seen : `${seen}, rests on ${restsOn}`,
  );
  const toLine = (cause: string, same: typeof open): string =>
    `OPEN     ${same.map(({ id }) => id).join(', ')}: ${cause}`;
  return [...causes].flatMap((one) => [''].concat(wrap(toLine(...one), 9)));
}

function isUnasked({ is, seen, askedBy }: Report['statements'][number]): boolean {
  return is === 'open' && askedBy === 'writing' && seen === NOT_ASKED;
}

function toDetails(
  { seen, requests: numbers, restsOn, contract, advice }: Report['statements'][number],
  requests: Report['requests'],
): string[] {
  const cases = requests.filter(({ number }) => numbers.includes(number)).slice(0, 3);
  const [first] = cases;
  const example = first
    ? ` (#${cases.map(({ number }) => number).join(', #')}${numbers.length > 3 ? ' …' : ''}: ${first.method} ${first.path})`
    : '';
  const rests = restsOn === undefined ? '' : `, rests on ${restsOn}`;
  const changes = contract.map(
    ({ at, value }) =>
      `Contract: ${value === null ? `remove ${at}` : `${at}: ${JSON.stringify(value)}`}`,
  );
  return [`Seen: ${seen}${rests}${example}`, ...changes, ...(advice ? [advice] : [])].flatMap(
    (text) => wrap(' '.repeat(9) + text, 11),
  );
}

/** Breaks a line at its spaces. Each line after the first one is indented. */
function wrap(text: string, indent: number): string[] {
  if (text.length <= WIDTH) return [text];
  const end = text.lastIndexOf(' ', WIDTH);
  const at = end > indent ? end : text.indexOf(' ', WIDTH);
  if (at < 0) return [text];
  return [text.slice(0, at), ...wrap(' '.repeat(indent) + text.slice(at + 1), indent)];
}
