import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createStudy, toRequestBody } from '../support/operations.js';
import { startReadyProgram } from '../support/process.js';
import { startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { configMap, deployment } from '../support/manifests.js';

const CALLS = 256;
const SHARE_OF_LIMIT = 0.8;

const { limits } = deployment.spec!.template.spec!.containers[0]!.resources!;
const limitMib = Number(/^(\d+)Mi$/.exec(String(limits!['memory']))![1]);
/** What the manifests set of the calls to the Study API: nothing yet, so these are the defaults. */
const ofManifests = Object.fromEntries(
  Object.entries(configMap.data!).filter(([name]) => /^STUDY_API_(ANSWER|MAX)/.test(name)),
);

/** How a call ended: with a study, or the outcome of the write. */
function create(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/graphql`, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
    });
    call.on('error', reject).on('response', (response) => {
      let head = '';
      response.setEncoding('latin1').on('data', (text: string) => {
        if (head.length < 1_000) head += text;
      });
      response.on('error', reject).on('end', () => {
        resolve(/"outcome":"(\w+)"/.exec(head)?.[1] ?? head.slice(0, 24));
      });
    });
    call.end(toRequestBody(createStudy));
  });
}

it.runIf(process.platform === 'linux').each([
  { what: 'whose length is declared', headers: {} },
  { what: 'in chunks', headers: { 'transfer-encoding': 'chunked' } },
])(
  'stays under 80 % of the memory of a pod with 256 answers of 8 MB $what',
  { timeout: 60_000 },
  async ({ headers }) => {
    const length = { 'content-length': '' };
    const body = Buffer.from(JSON.stringify({ ...wholeStudy, description: 'x'.repeat(8_000_000) }));
    length['content-length'] = String(body.length);
    const api = await startStudyApi((response) => {
      const framing = 'transfer-encoding' in headers ? headers : length;
      response.writeHead(201, { 'content-type': 'application/json', ...framing }).end(body);
    });
    const { url, child } = await startReadyProgram({
      // As much as V8 takes in a container of this limit.
      nodeArgs: [`--max-old-space-size=${limitMib / 2}`],
      env: {
        STUDY_API_URL: api.url,
        // What has not found room by then is told so, which bounds the time of the test.
        STUDY_API_TIMEOUT_MS: '4000',
        ...ofManifests,
      },
    });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());

    const ended = await Promise.all(Array.from({ length: CALLS }, () => create(url, agent)));

    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const peakMib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
    expect(new Set(ended)).toEqual(new Set(['{"data":{"createStudy":{', 'APPLIED']));
    expect(peakMib).toBeLessThan(SHARE_OF_LIMIT * limitMib);
  },
);
