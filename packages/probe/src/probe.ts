import { parseArgs } from 'node:util';
import { ContractError, readContract, type Contract } from 'study-gateway-contract';
import { Asker, isSuccess, Stopped, type Api } from './ask.js';
import { toEvidence, type Evidence } from './evidence.js';
import { UUID } from './fields.js';
import { Journal, readLeftBehind } from './journal.js';
import { findStudy, learnNames, readStudy } from './learn.js';
import { MAX_STUDIES, Reader } from './read.js';
import { toReport, toTable } from './report.js';
import { claimFile, toFile, toText } from './save.js';
import { judge } from './statements.js';
import { plan, Writer } from './write.js';

export interface ProbeOptions extends Omit<Api, 'token'> {
  /** Called when the first request is about to be sent. */
  readonly readToken: () => Promise<string>;
  readonly contract: Contract;
  /** Minimum time between the starts of two requests. Default: 1 s, and none for an API on this machine. */
  readonly intervalMs?: number;
}

/** Functions that write the output of the probe. */
export interface ProbeOutput {
  /** Writes the report. */
  readonly print: (text: string) => void;
  /** Writes to the terminal of a person. */
  readonly note: (text: string) => void;
  /** Writes a line after each request. Default: no progress is shown. */
  readonly progress?: ((text: string) => void) | undefined;
  readonly isColored: boolean;
}

/** Exit code: 0 if the API keeps the contract, 1 if it differs or a person must settle something, 2 if it could not be asked. */
export type ProbeExit = 0 | 1 | 2;

/** How the command is used. */
export const usage = `Usage: study-gateway probe [--study <uuid>]… [--check <file>] [--save <file>]
                           [--json | --plan]
                           [--write --project <uuid> [--status <text>]
                            [--journal <file>]]
  --study    reads this study, up to ${MAX_STUDIES} times. Default: what the list shows
  --check    asks whether the API keeps this contract.
             Default: the one in STUDY_API_CONTRACT, or what is assumed without
  --save     writes the contract that the API keeps to this new file
  --json     prints the report as JSON
  --plan     prints the questions, and asks none
  --write    also creates and edits studies, which it cannot delete
  --project  creates them in this project
  --status   sends this status too: a change of state may start interviews
  --journal  lists there what is left behind. Default: study-probe.journal`;

/**
 * Asks an API which contract it keeps, and prints a report.
 *
 * @param args the arguments after `probe` on the command line
 */
export async function probe(
  args: readonly string[],
  options: ProbeOptions,
  output: ProbeOutput,
): Promise<ProbeExit> {
  const values = readArguments(args);
  if (!values) {
    output.note('Wrong arguments. See study-gateway probe --help.\n');
    return 2;
  }
  try {
    const { check } = values;
    const contract = check === undefined ? options.contract : readContract(check);
    return await run(values, { ...options, contract }, output);
  } catch (error) {
    const isOfFile = error instanceof Error && 'path' in error && 'code' in error;
    if (!isOfFile && !(error instanceof ContractError)) throw error;
    output.note(`The probe cannot run.\n${error.message}\n`);
    return 2;
  }
}

type Values = NonNullable<ReturnType<typeof readArguments>>;

/** Returns `undefined` for wrong arguments. They are not repeated, because they may hold a token. */
function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: text,
        save: text,
        project: text,
        status: text,
        json: flag,
        plan: flag,
        write: flag,
        study: { type: 'string', multiple: true, default: [] },
        journal: { type: 'string', default: 'study-probe.journal' },
      },
    });
    const { project, write, status } = values;
    const ids = project === undefined ? values.study : [...values.study, project];
    const isWriting = write ? project !== undefined : project === undefined && status === undefined;
    const areValid = values.study.length <= MAX_STUDIES && ids.every((id) => UUID.test(id));
    return areValid && isWriting ? values : undefined;
  } catch {
    return undefined;
  }
}

async function run(values: Values, options: ProbeOptions, output: ProbeOutput): Promise<ProbeExit> {
  const { write, json, save } = values;
  const { contract, baseUrl } = options;
  const steps = `GET the list, pages and projects of it, studies by id; without a token, with a wrong one\n${write ? toPlan() : ''}`;
  if (values.plan) {
    output.print(steps);
    return 0;
  }
  const saveFile = save === undefined ? undefined : claimFile(save);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(baseUrl.hostname);
  const intervalMs = options.intervalMs ?? (isLocal ? 0 : 1_000);
  const token = await options.readToken();
  const asker = new Asker({ ...options, token }, intervalMs, (line) => output.progress?.(line));
  const evidence = await collect(asker, values, contract, output);
  const judged = judge(evidence);
  const findings = judged.filter(({ is }) => ['fails', 'differs', 'settle'].includes(is));
  const file = toFile(
    contract,
    findings.flatMap(({ lines = [] }) => lines),
  );
  const leftBehind = write ? readLeftBehind(values.journal) : [];
  const report = toReport(judged, evidence, file, leftBehind);
  // The last guard: no answer can make the report show the token.
  const hide = (shown: string): string => shown.replaceAll(token, '(token)');
  output.print(
    hide(json ? `${JSON.stringify(report, undefined, 2)}\n` : toTable(report, output.isColored)),
  );
  saveFile?.(hide(toText(file)));
  const { exchanges, stopped } = evidence;
  if (stopped !== undefined || !exchanges.some(({ status }) => status !== undefined)) return 2;
  return findings.length > 0 ? 1 : 0;
}

function toPlan(): string {
  return plan.map((line) => `${line}\n`).join('');
}

/** Asks everything, until the API says that it must be left alone. */
async function collect(
  asker: Asker,
  values: Values,
  contract: Contract,
  output: ProbeOutput,
): Promise<Evidence> {
  let stopped: string | undefined;
  const until = async (asking: Promise<void>): Promise<void> => {
    await asking.catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error;
      stopped = error.message;
    });
  };
  let writer: Writer | undefined;
  const { write, project: projectId, status, journal: path } = values;
  if (write && projectId !== undefined) {
    const journal = new Journal(path);
    for (const { id, marker } of readLeftBehind(path))
      output.note(`An earlier run left behind: ${id ?? 'a study that may exist'}, "${marker}".\n`);
    output.note(`The journal is ${path}. The plan, at most 30 writes:\n${toPlan()}`);
    writer = new Writer(asker, { contract, journal, projectId, status });
    await until(writer.write());
    journal.close();
  }
  // After the writes, so that there is something to list and to read.
  const reader = new Reader(asker, contract);
  if (stopped === undefined) await until(reader.read(values.study));
  const { exchanges } = asker;
  const { written } = writer ?? {};
  const whole = written?.whole;
  const sent = whole?.sent;
  const at = whole ? findStudy(whole.json, contract.answer, sent) : reader.at;
  const flag = exchanges.findLast((one) => one.step === 'edit.flag' && isSuccess(one));
  // The studies of the probe have what it has sent: they tell nothing about what is usual.
  const own = new Set<unknown>(exchanges.flatMap(({ made = [] }) => made));
  const studies = reader.studies.filter(
    ({ study }) => !Object.values(study).some((value) => own.has(value)),
  );
  if (whole) studies.unshift({ exchange: whole, study: readStudy(whole.json, at) });
  const learned = learnNames(
    contract.answer,
    studies.map(({ study }) => study),
    sent,
    flag && readStudy(flag.json, at),
  );
  return toEvidence({ contract, exchanges, reader, written, studies, at, learned, stopped });
}
