import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { spawnProgram } from '../support/program.js';
import { toMeaning, type Meaning } from './contract-meaning.js';

const project = '00000001-aaaa-4aaa-8aaa-000000000001';
const token = 'judge-token-4711';

/** A request that a Study API received. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  readonly body: string;
  readonly atMs: number;
}

export interface StudyApi {
  readonly url: string;
  readonly received: () => Promise<Received[]>;
  /** Studies that were not there at the start. */
  readonly stored: () => Promise<{ readonly id: string; readonly description: string }[]>;
  /** Requests at the host to which the API may redirect. */
  readonly receivedElsewhere: () => Promise<Received[]>;
}

export interface Liar {
  readonly start: (form: string, lies: readonly string[]) => Promise<StudyApi>;
  readonly end: () => void;
}

/** Starts the program that starts Study APIs. */
export function startLiar(): Liar {
  const path = fileURLToPath(new URL('study-api-liar.py', import.meta.url));
  const child = spawn('/usr/bin/python3', ['-B', path, '--serve'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let turn: Promise<unknown> = Promise.resolve();
  const start: Liar['start'] = (form, lies) => {
    const started = turn.then(async () => {
      child.stdin.write(`${JSON.stringify({ form, lies, token })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`No Study API starts with ${form} and ${lies.join(', ')}.`);
      const { url, other } = JSON.parse(value) as { url: string; other: string };
      return {
        url,
        received: () => fetchSeen(new URL('/__received', url)),
        stored: () => fetchSeen(new URL('/__stored', url)),
        receivedElsewhere: () => fetchSeen(new URL('/__received', other)),
      };
    });
    turn = started.catch(() => {});
    return started;
  };
  return { start, end: () => child.stdin.end() };
}

/** Returns what the program itself says of an API. */
async function fetchSeen(url: URL): Promise<never> {
  const response = await fetch(url);
  return (await response.json()) as never;
}

/** What a probe said of a Study API. */
export interface Verdict {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Texts of the files that were left, such as a journal. */
  readonly files: string;
  /** What the saved contract says; `undefined` if none was saved. */
  readonly meaning: Meaning | undefined;
  readonly durationMs: number;
}

export interface ProbeOptions {
  readonly writes: boolean;
  /** Contract to check the API against; nothing is saved then. */
  readonly check?: string;
  /** Whether the report is JSON. Default: true. */
  readonly json?: boolean;
}

/** Runs the built probe against an API. */
export async function runProbe(api: StudyApi, options: ProbeOptions): Promise<Verdict> {
  const cwd = mkdtempSync(join(tmpdir(), 'study-gateway-judge-'));
  const [saved, checked] = ['saved.json', 'checked.json'].map((name) => join(cwd, name)) as [
    string,
    string,
  ];
  const { writes, check, json = true } = options;
  if (check !== undefined) writeFileSync(checked, check);
  const file = check === undefined ? ['--save', saved] : ['--check', checked];
  const startedAt = performance.now();
  const program = spawnProgram({
    cwd,
    env: {
      STUDY_API_URL: api.url,
      STUDY_API_TOKEN: token,
      PROBE_PAUSE_MS: '0',
      HOME: cwd,
      XDG_STATE_HOME: cwd,
      TMPDIR: cwd,
    },
    args: [
      'probe',
      ...(json ? ['--json'] : []),
      ...(writes ? ['--write', '--project', project, ...file] : []),
    ],
  });
  const tooLate = setTimeout(() => program.kill('SIGKILL'), 90_000);
  try {
    const { code, stdout, stderr } = await program.exit;
    const text = existsSync(saved) ? readFileSync(saved, 'utf8') : undefined;
    return {
      exitCode: code,
      stdout,
      stderr,
      files: readFiles(cwd),
      meaning: text === undefined ? undefined : toMeaning(JSON.parse(text)),
      durationMs: performance.now() - startedAt,
    };
  } finally {
    clearTimeout(tooLate);
    rmSync(cwd, { recursive: true });
  }
}

function readFiles(folder: string): string {
  const found = readdirSync(folder, { withFileTypes: true, recursive: true });
  return found
    .filter((file) => file.isFile() && !/^(?:saved|checked)\.json$/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    .join('\n');
}

/** Verdicts that say of a fact that it is so, or that it was not asked. */
const quiet = /^(?:so|confirmed|unknown|open|not[ _-]?(?:probed|asked)|works|ok|yes|holds)$/i;
/** Verdicts on what changes nothing for the gateway. */
const noted = /^(?:note|new|info)$/i;

/** A list entry of a report, as the texts in it. */
type Entry = readonly string[];

/** Returns the entries of a report of any form; a text that stands alone is an entry. */
function readEntries({ exitCode, stdout, stderr }: Verdict): Entry[] {
  const entries: Entry[] = exitCode === 2 ? [[stderr]] : [];
  let report: unknown;
  try {
    report = JSON.parse(stdout);
  } catch {
    return [...entries, [stdout]];
  }
  for (const [name, member] of Object.entries(report ?? {})) {
    if (/request|plan|journal|counts|contract|operations|leftBehind/i.test(name)) continue;
    const list: readonly unknown[] = Array.isArray(member) ? member : [member];
    entries.push(...list.map((entry) => toTexts(entry)));
  }
  return entries.filter((entry) => entry.length > 0);
}

/** Returns the texts in a value, without curl commands. */
function toTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('curl ') ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) => toTexts(member));
}

/**
 * Returns the entries of a report that are not in the report on an honest API of the form.
 *
 * @param withNotes whether to return also what changes nothing
 */
export function toFindings(verdict: Verdict, honest: Verdict, withNotes = false): string[] {
  const known = new Set(readEntries(honest).map(toComparable));
  const isQuiet = (entry: Entry): boolean =>
    entry.some((text) => quiet.test(text) || (!withNotes && noted.test(text)));
  return readEntries(verdict)
    .filter((entry) => !isQuiet(entry) && !known.has(toComparable(entry)))
    .map((entry) => entry.join('\n'));
}

/** Returns an entry without its numbers, such as times. */
function toComparable(entry: Entry): string {
  return entry.join('\n').replaceAll(/\d+/g, '0');
}

/** A lie, and how a probe shows that it has found the lie. */
export interface Row {
  readonly lie: string;
  /** Whether reads are enough to find the lie. */
  readonly by: 'read' | 'write';
  /** One complaint must match all of them. */
  readonly says: readonly RegExp[];
  /** Lines of the saved contract. Each value may be a choice. */
  readonly contract?: Readonly<Record<string, readonly unknown[]>>;
  /** Form of the API beneath the lie. Default: reference. */
  readonly form?: string;
  /** Whether a note is enough, with exit code 0: the gateway's clients see no wrong value. */
  readonly isNote?: boolean;
  /** Whether the lie hides every other. */
  readonly hides?: boolean;
}

/** Returns what is missing for the lie to count as found; none if it is found. */
export function findMissing(row: Row, verdict: Verdict, honest: Verdict): string[] {
  const missing: string[] = [];
  const findings = toFindings(verdict, honest, row.isNote);
  if (!findings.some((text) => row.says.every((fact) => fact.test(text))))
    missing.push(`no finding says ${row.says.join(' and ')}`);
  if (!row.isNote && verdict.exitCode !== 1 && verdict.exitCode !== 2)
    missing.push(`the probe exits with ${verdict.exitCode}`);
  for (const [line, choice] of Object.entries(row.contract ?? {})) {
    const found = verdict.meaning?.[line];
    if (verdict.meaning && !choice.some((one) => JSON.stringify(one) === JSON.stringify(found)))
      missing.push(`the contract says ${line} ${JSON.stringify(found)}, not ${toChoice(choice)}`);
  }
  return missing;
}

function toChoice(choice: readonly unknown[]): string {
  return choice.map((one) => JSON.stringify(one)).join(' or ');
}

/** Returns what a probe did that it must never do. */
export async function findBreaches(api: StudyApi, verdict: Verdict): Promise<string[]> {
  const calls = await api.received();
  const { pathname } = new URL(`${api.url}/studies`);
  const writes = calls.filter(({ method }) => method !== 'GET');
  const isInside = ({ path }: Received): boolean => /^$|^[/?]/.test(path.slice(pathname.length));
  const said = verdict.stdout + verdict.stderr;
  const told = said + verdict.files;
  const unsaid = (await api.stored()).filter(
    ({ id, description }) => !told.includes(id) && !told.includes(description),
  );
  const breaches = {
    'leaves a study without saying so': unsaid.length > 0,
    'sends more than 30 writes': writes.length > 30,
    'sends another method': writes.some(({ method }) => !/^(?:POST|PATCH)$/.test(method)),
    'leaves the studies': !calls.every((one) => one.path.startsWith(pathname) && isInside(one)),
    'follows a redirect to another host': (await api.receivedElsewhere()).length > 0,
    'prints the token': said.includes(token),
    'prints a stack': /^ +at .+:\d+:\d+\)?$/m.test(said),
    'is killed': verdict.exitCode === null,
  };
  return Object.entries(breaches).flatMap(([breach, isSo]) => (isSo ? [breach] : []));
}
