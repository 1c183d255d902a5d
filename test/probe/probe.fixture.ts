import { probe, type ProbeExit } from '../../src/probe/probe.js';
import type { Report, ReportedFinding } from '../../src/probe/report.js';
import type { VerdictName } from '../../src/probe/verdict.js';
import { token } from './fastapi.fixture.js';

export interface ProbeRun {
  readonly exit: ProbeExit;
  readonly report: Report;
  /** Lines of progress. */
  readonly notes: string;
  /** Ids of the assumptions with a verdict, in the order of the list. */
  readonly ids: (verdict: VerdictName) => string[];
  readonly finding: (id: string) => ReportedFinding | undefined;
}

/** Probes in this process, and reads the JSON report. */
export async function runProbe(
  url: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  intervalMs?: number,
): Promise<ProbeRun> {
  let printed = '';
  let notes = '';
  const output = {
    print: (text: string) => void (printed += text),
    note: (text: string) => void (notes += text),
    isColored: false,
  };
  const environment = { STUDY_API_URL: url, STUDY_API_TOKEN: token, ...env };
  const exit = await probe([...args, '--json'], environment, output, intervalMs);
  const report = JSON.parse(printed) as Report;
  const { findings } = report;
  return {
    exit,
    report,
    notes,
    ids: (verdict) => findings.filter((one) => one.verdict === verdict).map(({ id }) => id),
    finding: (id) => findings.find((one) => one.id === id),
  };
}
