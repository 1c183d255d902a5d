import { parseArgs } from 'node:util';
import { readToken } from '../auth/service-token.js';
import { ConfigError, isLoopback, readProbeConfig, type ProbeConfig } from '../config/config.js';
import { createRawClient } from '../rest/raw-client.js';
import { assumptions } from './assumptions.js';
import { collect } from './collector.js';
import { toFindings } from './findings.js';
import type { Observation } from './observation.js';
import { toReport } from './report.js';
import { MAX_READS, steps, toCurl, type Step } from './steps.js';
import { toTable } from './table.js';

/** Where the probe writes. */
export interface ProbeOutput {
  readonly print: (text: string) => void;
  /** Shows progress; `undefined` where nobody watches. */
  readonly note?: ((text: string) => void) | undefined;
  readonly isColored: boolean;
}

/** None refuted; some refuted; not run, or not to the end. */
export type ProbeExit = 0 | 1 | 2;

const USAGE = `Usage: node dist/main.js probe [--study <id>]… [--plan | --json]
  --study <id>  reads this study; up to ${MAX_READS} times. Without it, studies of the list are read.
  --plan        prints every request as a curl line, and sends none
  --json        prints the report as JSON
STUDY_API_URL names the Study API; STUDY_API_TOKEN, or a file named by STUDY_API_TOKEN_FILE, has its token.`;

/** Time from the begin of one request to the begin of the next one, in ms. */
export function toIntervalMs(baseUrl: URL): number {
  return isLoopback(baseUrl) ? 0 : 1_000;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Confirms or refutes what the gateway assumes of a Study API, by reading only.
 *
 * @param args the command line behind `probe`
 * @param intervalMs default: that of `toIntervalMs`
 * @throws ConfigError when the arguments or the environment do not fit
 */
export async function probe(
  args: readonly string[],
  environment: Environment,
  { print, note, isColored }: ProbeOutput,
  intervalMs?: number,
): Promise<ProbeExit> {
  const { plan, json, study: studyIds = [] } = readArguments(args);
  const config = readProbeConfig(environment);
  const { studyApiUrl: baseUrl } = config;
  if (plan) {
    print(toPlan(baseUrl, studyIds.length));
    return 0;
  }

  const token = await findToken(config);
  const client = createRawClient({
    baseUrl,
    deadlineMs: config.studyApiTimeoutMs,
    connectTimeoutMs: config.studyApiConnectTimeoutMs,
    maxAnswerBytes: config.studyApiMaxAnswerBytes,
  });
  const evidence = await collect({
    client,
    token,
    studyIds,
    intervalMs: intervalMs ?? toIntervalMs(baseUrl),
    onObservation: (observation, step) => note?.(toProgress(observation, step)),
  });
  await client.close();

  const report = toReport(toFindings(assumptions, evidence), evidence, baseUrl);
  print(json ? `${JSON.stringify(report, undefined, 2)}\n` : toTable(report, isColored));
  if (evidence.stopped !== undefined) return 2;
  return report.counts.REFUTED > 0 ? 1 : 0;
}

function toProgress({ number, status, ms }: Observation, { path }: Step): string {
  return `GET #${number} ${path}  ${status ?? 'no whole answer'}  ${Math.ceil(ms)} ms\n`;
}

function readArguments(args: readonly string[]) {
  const { values } = parse(args);
  const { study = [] } = values;
  if (study.length > MAX_READS || study.includes('')) throw new ConfigError(USAGE);
  return values;
}

/** parseArgs quotes what it does not know, and that may be a token. */
function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        study: { type: 'string', multiple: true },
        plan: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
  } catch {
    throw new ConfigError(USAGE);
  }
}

/** @throws ConfigError when there is no token */
async function findToken({ studyApiToken, studyApiTokenFile }: ProbeConfig): Promise<string> {
  if (studyApiTokenFile !== undefined)
    return readToken(studyApiTokenFile).catch((error: unknown) => {
      throw new ConfigError(
        'STUDY_API_TOKEN_FILE: the file cannot be read, or holds no bearer token.',
        { cause: error },
      );
    });
  if (studyApiToken !== undefined) return studyApiToken;
  throw new ConfigError('STUDY_API_TOKEN or STUDY_API_TOKEN_FILE must be set.');
}

/** Every request as a curl line, behind a comment with its numbers. */
function toPlan(baseUrl: URL, studyCount: number): string {
  let number = 1;
  const lines = steps.map((step) => {
    const isRead = step.id === 'read';
    const count = isRead ? studyCount || MAX_READS : 1;
    const last = number + count - 1;
    const title = count === 1 ? `GET #${number}` : `GET #${number} to #${last}`;
    const words = isRead ? `: one for each study${studyCount ? '' : ' of the list, at most'}` : '';
    number += count;
    return `# ${title}${words}\n${toCurl(step, baseUrl)}`;
  });
  return `${lines.join('\n')}\n`;
}
