import { join } from 'node:path';
import { assumed, type Contract } from 'study-gateway-contract';
import { probe, type ProbeExit, type Report } from 'study-gateway-probe';
import { createDirectory } from '../support/process.js';
import { token } from './fastapi.fixture.js';

export const project = '33333333-3333-4333-8333-333333333333';

type Statement = Report['statements'][number];

export interface ProbeRun {
  readonly exit: ProbeExit;
  readonly report: Report;
  /** Lines of progress. */
  readonly progress: string;
  readonly notes: string;
  /** Returns the ids of the statements of which this was found, in the order of the report. */
  readonly ids: (...found: readonly Statement['is'][]) => string[];
  readonly statement: (id: string) => Statement | undefined;
  /** Path of the journal. */
  readonly journal: string;
}

export interface RunOptions {
  readonly token?: string;
  readonly contract?: Contract;
  readonly timeoutMs?: number;
  readonly maxAnswerBytes?: number;
  readonly intervalMs?: number;
  readonly journal?: string;
}

/** Runs the probe in this process, and parses its JSON report. */
export async function runProbe(
  url: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<ProbeRun> {
  let printed = '';
  let progress = '';
  let notes = '';
  const journal = options.journal ?? join(createDirectory(), 'journal');
  const exit = await probe(
    [...args, '--journal', journal, '--json'],
    {
      contract: assumed,
      timeoutMs: 10_000,
      maxAnswerBytes: 1_000_000,
      ...options,
      baseUrl: new URL(url),
      readToken: () => Promise.resolve(options.token ?? token),
    },
    {
      print: (text) => void (printed += text),
      note: (text) => void (notes += text),
      progress: (text) => void (progress += text),
      isColored: false,
    },
  );
  const report = JSON.parse(printed) as Report;
  const { statements } = report;
  return {
    exit,
    report,
    progress,
    notes,
    ids: (...found) => statements.filter(({ is }) => found.includes(is)).map(({ id }) => id),
    statement: (id) => statements.find((one) => one.id === id),
    journal,
  };
}

/** Runs the writing probe. */
export function runWriting(
  url: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<ProbeRun> {
  return runProbe(url, ['--write', '--project', project, ...args], options);
}
