import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { startProgram } from '../support/process.js';
import { deployment } from '../support/manifests.js';
import { toRequestBody, createStudy } from '../support/operations.js';
import { startStudyApi } from '../support/study-api.js';
import { toPage, wholeStudy } from '../support/studies.js';

const { limits } = deployment.spec!.template.spec!.containers[0]!.resources!;
/** Memory limit of the pod of the manifests. */
export const limitMib = Number(/^(\d+)Mi$/.exec(String(limits!['memory']))![1]);

/** What the image sets for glibc. */
const [, mmapThreshold = ''] = /MALLOC_MMAP_THRESHOLD_=(\d+)/.exec(
  readFileSync('Dockerfile', 'utf8'),
)!;

const attackers = fileURLToPath(new URL('attackers.ts', import.meta.url));
const MIB = 1024 * 1024;
/** Time between two honest creates, and until one counts as hanging. */
const PAUSE_MS = 50;
const HANGS_MS = 30_000;
const CONNECTIONS = 16;

/** Number of connections of each kind of attacker. */
export type Attack = Readonly<Record<string, number>>;

interface Measured {
  readonly peakMib: number;
  /** How honest creates beside the attack ended: `study`, `OVERLOADED` with `Retry-After`, or another word. */
  readonly honest: Readonly<Record<string, number>>;
  /** Statuses that each kind of attacker got. */
  readonly attackers: Readonly<Record<string, string>>;
}

/** A study of some length in bytes. */
function toStudy(bytes: number): object {
  const rest = JSON.stringify({ ...wholeStudy, description: '' }).length;
  return { ...wholeStudy, description: 'x'.repeat(Math.max(0, bytes - rest)) };
}

/** Creates a study of 2 kB, and returns how that ended. */
function create(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const call = request(`${url}/graphql`, {
      method: 'POST',
      agent,
      timeout: HANGS_MS,
      headers: { 'content-type': 'application/json', authorization: 'Bearer honest' },
    });
    call.on('timeout', () => void call.destroy(new Error('hangs')));
    call.on('error', ({ message }) => resolve(message));
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (data: string) => (text += data));
      response.on('error', ({ message }) => resolve(message));
      response.on('end', () => {
        const code = /"code":"(\w+)"/.exec(text)?.[1];
        const isTold = code === undefined || response.headers['retry-after'] !== undefined;
        resolve(isTold ? (code ?? 'study') : `${code} without Retry-After`);
      });
    });
    call.end(toRequestBody(createStudy));
  });
}

/**
 * Attacks the built program, with the default limits and the memory of a pod, and creates studies beside the attack.
 *
 * @param studyBytes size of the studies on the pages that the API answers
 */
export async function measureUnder(
  attack: Attack,
  studyBytes: number,
  ms: number,
): Promise<Measured> {
  const page = JSON.stringify(toPage(Array(100).fill(toStudy(studyBytes)), { size: 100 }));
  const [big, honest] = [MIB, 2_000].map((bytes) => JSON.stringify(toStudy(bytes)));
  const api = await startStudyApi((response, { method, body }) => {
    const isBig = body.includes('"description":"big"');
    const answer = method === 'GET' ? page : isBig ? big : honest;
    const headers = { 'content-type': 'application/json', 'content-length': answer!.length };
    const send = (): void => void response.writeHead(200, headers).end(answer);
    if (body.includes('"description":"slow"')) setTimeout(send, 3_000);
    else send();
  });
  const { child, printed } = startProgram({
    // The heap limit that V8 chooses by default in a container with this memory limit.
    nodeArgs: [`--max-old-space-size=${limitMib / 2}`],
    env: {
      NODE_ENV: 'production',
      STUDY_API_URL: api.url,
      MALLOC_MMAP_THRESHOLD_: mmapThreshold,
    },
    maxOutput: 10_000,
  });
  const [, url = ''] = await printed(/Server listening at (http:[^"]+)/);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  onTestFinished(() => agent.destroy());
  await Promise.all(Array.from({ length: CONNECTIONS }, () => create(url, agent)));

  const under = Object.entries(attack).map(async ([kind, count]) => {
    const args = [attackers, url, kind, String(count), String(ms)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return [kind, stdout.trim()];
  });
  const ended: Promise<string>[] = [];
  const timer = setInterval(() => ended.push(create(url, agent)), PAUSE_MS);
  const told = Object.fromEntries(await Promise.all(under)) as Record<string, string>;
  clearInterval(timer);
  const tally: Record<string, number> = {};
  for (const end of await Promise.all(ended)) tally[end] = (tally[end] ?? 0) + 1;
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const peakMib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
  return { peakMib: Math.round(peakMib), honest: tally, attackers: told };
}
