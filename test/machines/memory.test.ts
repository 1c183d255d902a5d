import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { repeat } from '../support/bombs.js';
import { allDaily } from '../support/daily.js';
import { deployment } from '../support/manifests.js';
import { startReadyProgram } from '../support/process.js';
import { startStudyApi } from '../support/study-api.js';
import { toPage, wholeStudy } from '../support/studies.js';

const CONNECTIONS = 64;
const MIB = 1024 * 1024;
const { limits } = deployment.spec!.template.spec!.containers[0]!.resources!;
const limitMib = Number(/^(\d+)Mi$/.exec(String(limits!['memory']))![1]);

/** Runs an operation, and returns the length of the response and its first 500 characters. */
function run(url: string, agent: Agent, query: string): Promise<[length: number, begin: string]> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/graphql`, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
    });
    call.on('error', reject).on('response', (response) => {
      let [length, begin] = [0, ''];
      response.setEncoding('latin1').on('data', (text: string) => {
        length += text.length;
        if (begin.length < 500) begin += text.slice(0, 500);
      });
      response.on('error', reject).on('end', () => resolve([length, begin.slice(0, 500)]));
    });
    call.end(JSON.stringify({ query }));
  });
}

const create = 'mutation { createStudy(input: {}) { id description } }';
const sixteen = repeat(15, (index) => `a${index}: description`);
const long = (bytes: number): object => ({ ...wholeStudy, description: 'x'.repeat(bytes) });
const lists = JSON.stringify(toPage([{ ...wholeStudy, solution: 0 }])).replace(
  '"solution":0',
  `"solution":{"a":[${'[],'.repeat(1_300_000)}[]]}`,
);

const ofEachKind = [
  {
    what: 'six pages of 4 MiB with 16 aliases each',
    body: JSON.stringify(toPage([long(4 * MIB - 10_000)])),
    queries: Array.from({ length: 6 }, () => `{ studies { items { description ${sixteen} } } }`),
    ending: /would have more than 33,554,432 bytes/,
  },
  {
    what: 'six pages of 1.3 million nested lists',
    body: lists,
    queries: Array.from({ length: 6 }, () => '{ studies { items { solution } } }'),
    ending: /more than 100,000 lists and objects/,
  },
  {
    what: '2,000 distinct documents of 18 KB',
    body: JSON.stringify(wholeStudy),
    queries: Array.from(
      { length: 2_000 },
      (_, index) =>
        `mutation M${index} { a${index}: createStudy(input: {}) { id } } #${'x'.repeat(17_900)}`,
    ),
    ending: /^\{"data":\{"a\d+":\{"id"/,
  },
];
/** The first kind with more answers, and with answers that fit. */
const more = [
  {
    what: '64 answers of 4 MiB at once',
    body: JSON.stringify(long(4 * MIB - 10_000)),
    queries: Array.from({ length: 64 }, () => create),
    ending: /^\{"data":\{"createStudy":\{"id":|"outcome":"APPLIED"/,
  },
  {
    what: 'six pages of 2 MB with 16 aliases each',
    body: JSON.stringify(toPage([long(2_000_000)])),
    queries: Array.from({ length: 6 }, () => `{ studies { items { description ${sixteen} } } }`),
    ending: /^\{"data":\{"studies":\{"items":\[\{"description":"xxx/,
  },
];

it.runIf(process.platform === 'linux').each(allDaily([...ofEachKind, ...more], ofEachKind))(
  'stays below the memory limit of a pod for $what',
  { timeout: 60_000 },
  async (row) => {
    const body = Buffer.from(row.body);
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const api = await startStudyApi((response) => response.writeHead(200, headers).end(body));
    const { url, child } = await startReadyProgram({
      // The heap limit that V8 chooses by default in a container with this memory limit.
      nodeArgs: [`--max-old-space-size=${limitMib / 2}`],
      env: { STUDY_API_URL: api.url },
    });
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    onTestFinished(() => agent.destroy());

    const ended = await Promise.all(row.queries.map((query) => run(url, agent, query)));

    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const peakMib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
    expect(ended.filter(([, begin]) => !row.ending.test(begin))).toEqual([]);
    expect(peakMib).toBeLessThan(limitMib);
  },
);
