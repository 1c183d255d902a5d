/**
 * Judges the built probe by hand:
 *
 *   tsx test/judges/probe-judge.ts [--only <lie>[,<lie>]]… [--all] [--form <form>] [--reads]
 *     [--notes] [--raw] [--requests] [--contract]
 *
 * Without lies the API is honest. `--reads` runs the probe without `--write`, `--all` tells each lie that must be found.
 */
import {
  findBreaches,
  findMissing,
  runProbe,
  startLiar,
  toFindings,
  type Verdict,
} from './judged-probe.js';
import { mustFind } from './lies-to-find.js';

const args = process.argv.slice(2);
const has = (name: string): boolean => args.includes(name);
const read = (name: string): string[] =>
  args.flatMap((arg, index) => (arg === name ? [args[index + 1] ?? ''] : []));

const writes = !has('--reads');
const asked = has('--all')
  ? mustFind.filter(({ by }) => writes || by === 'read').map(({ lie }) => lie)
  : read('--only');
const form = read('--form')[0] ?? 'reference';
const counts = { found: 0, missed: 0 };
const liar = startLiar();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const honest = await runProbe(await liar.start(form, []), { writes });
for (const lies of asked.length === 0 ? [''] : asked) {
  const told = lies.split(',').filter(Boolean);
  const api = await liar.start(form, told);
  const verdict = told.length === 0 ? honest : await runProbe(api, { writes });
  const known = mustFind.filter(({ lie }) => told.includes(lie));
  const missing = known.flatMap((row) => findMissing(row, verdict, honest));
  counts[missing.length === 0 ? 'found' : 'missed'] += 1;
  print(lies, verdict, missing, [
    ...(await findBreaches(api, verdict)),
    ...(has('--requests')
      ? (await api.received()).map(({ method, path, body }) => `${method} ${path} ${body}`)
      : []),
  ]);
}
say(JSON.stringify(counts));
liar.end();

function print(
  lies: string,
  verdict: Verdict,
  missing: readonly string[],
  seen: readonly string[],
): void {
  const { exitCode, durationMs, stdout, stderr, meaning } = verdict;
  say(`=== ${form} ${lies}: exit ${exitCode}, ${Math.round(durationMs)} ms`);
  for (const one of missing) say(`MISSED: ${one}`);
  for (const one of seen) say(`! ${one}`);
  const compared = lies === '' ? { ...honest, stdout: '{}' } : honest;
  for (const text of toFindings(verdict, compared, has('--notes')))
    say(`  - ${text.replaceAll('\n', '\n    ')}`);
  if (has('--raw')) say(`${stdout}${stderr}`);
  if (has('--contract')) say(JSON.stringify(meaning, null, 2));
}
