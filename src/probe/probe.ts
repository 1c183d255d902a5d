import { parseArgs } from 'node:util';
import { createClient } from 'rest-outcome';
import { readTokenFile } from '../auth/service-token.js';
import { ConfigError, isLoopback, readProbeConfig, type ProbeConfig } from '../config/config.js';
import { assumptions } from './assumptions.js';
import { collect } from './collector.js';
import { toReport, toTable } from './report.js';
import { MAX_READS, steps, toCurl } from './steps.js';

/** Functions that write the output of the probe. */
export interface ProbeOutput {
  readonly print: (text: string) => void;
  /** Writes a line of progress after each request; `undefined` to show no progress. */
  readonly note?: ((text: string) => void) | undefined;
  readonly isColored: boolean;
}

/** Exit code: 0 if no assumption is refuted, 1 if one is, 2 if the probe stopped early or could not run. */
export type ProbeExit = 0 | 1 | 2;

const USAGE = `Usage: node dist/main.js probe [--study <id>]… [--plan | --json]
  --study <id>  reads this study; may be given up to ${MAX_READS} times. Default: the first ${MAX_READS} studies of the list.
  --plan        prints every request as a curl command, and sends none
  --json        prints the report as JSON
Set STUDY_API_URL to the address of the Study API, and either STUDY_API_TOKEN to its token or STUDY_API_TOKEN_FILE to
the path of a file with the token.`;

/** Returns the minimum time between the starts of two requests, in ms: 1 s, or 0 if the API is on this machine. */
export function toIntervalMs(baseUrl: URL): number {
  return isLoopback(baseUrl) ? 0 : 1_000;
}

/**
 * Checks the assumptions about a Study API with GET requests only, and prints a report.
 *
 * @param args the arguments after `probe` on the command line
 * @param intervalMs minimum time between the starts of two requests; default: `toIntervalMs(baseUrl)`
 * @throws ConfigError when an argument or an environment variable is invalid, or the token is missing
 */
export async function probe(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { print, note, isColored }: ProbeOutput,
  intervalMs?: number,
): Promise<ProbeExit> {
  const { plan, json, study: studyIds } = readArguments(args);
  const config = readProbeConfig(environment);
  const { baseUrl } = config.rest;
  if (plan) {
    print(toPlan(baseUrl, studyIds.length));
    return 0;
  }

  const token = await findToken(config.auth);
  const client = createClient(config.rest);
  const evidence = await collect({
    client,
    maxAnswerBytes: config.rest.maxAnswerBytes,
    token,
    studyIds,
    intervalMs: intervalMs ?? toIntervalMs(baseUrl),
    onObservation: ({ number, status, ms }, { path }) =>
      note?.(`GET #${number} ${path}  ${status ?? 'no whole answer'}  ${Math.ceil(ms)} ms\n`),
  });
  await client.close();

  const report = toReport(assumptions, evidence, baseUrl);
  print(json ? `${JSON.stringify(report, undefined, 2)}\n` : toTable(report, isColored));
  if (evidence.stopped !== undefined) return 2;
  return report.counts.REFUTED > 0 ? 1 : 0;
}

/** Replaces errors of parseArgs by the usage: parseArgs quotes unknown arguments, which may contain a token. */
function readArguments(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        study: { type: 'string', multiple: true, default: [] },
        plan: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    if (values.study.length <= MAX_READS && !values.study.includes('')) return values;
  } catch {
    // The usage says what is wrong.
  }
  throw new ConfigError(USAGE);
}

/** @throws ConfigError when no token is configured, or the token file has no valid token */
async function findToken(auth: ProbeConfig['auth']): Promise<string> {
  if (auth.studyApiTokenFile !== undefined) return readTokenFile(auth.studyApiTokenFile);
  if (auth.studyApiToken !== undefined) return auth.studyApiToken;
  throw new ConfigError('STUDY_API_TOKEN or STUDY_API_TOKEN_FILE must be set.');
}

/** Returns every request as a curl command, each after a comment with the request's numbers. */
function toPlan(baseUrl: URL, studyCount: number): string {
  let number = 1;
  const lines = steps.map((step) => {
    const isRead = step.id === 'read';
    const count = isRead ? studyCount || MAX_READS : 1;
    const last = number + count - 1;
    const title = count === 1 ? `GET #${number}` : `GET #${number} to #${last}`;
    const words = isRead
      ? `: one for each study${studyCount ? '' : ` of the list, up to ${MAX_READS}`}`
      : '';
    number += count;
    return `# ${title}${words}\n${toCurl(step, baseUrl)}`;
  });
  return `${lines.join('\n')}\n`;
}
