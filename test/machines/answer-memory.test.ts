import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { allDaily } from '../support/daily.js';
import { createStudy, toRequestBody } from '../support/operations.js';
import { startReadyProgram } from '../support/process.js';
import { startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { configMap, deployment } from '../support/manifests.js';

const CALLS = 256;
const SHARE_OF_LIMIT = 0.8;

const { limits } = deployment.spec!.template.spec!.containers[0]!.resources!;
const limitMib = Number(/^(\d+)Mi$/.exec(String(limits!['memory']))![1]);
/** Limits of responses and calls that the ConfigMap sets. At present it sets none, so the defaults apply. */
const ofManifests = Object.fromEntries(
  Object.entries(configMap.data!).filter(([name]) => /^STUDY_API_(ANSWER|MAX)/.test(name)),
);

/** Creates a study. Returns the outcome of the error, or the first 24 characters of a successful response. */
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

const inOnePiece = { what: 'with Content-Length', headers: {} };
const inChunks = { what: 'in chunked encoding', headers: { 'transfer-encoding': 'chunked' } };

it.runIf(process.platform === 'linux').each(allDaily([inOnePiece, inChunks], [inOnePiece]))(
  'uses less than 80 % of the memory of a pod for 256 concurrent responses of 4 MB $what',
  { timeout: 60_000 },
  async ({ headers }) => {
    const length = { 'content-length': '' };
    const body = Buffer.from(JSON.stringify({ ...wholeStudy, description: 'x'.repeat(4_000_000) }));
    length['content-length'] = String(body.length);
    const api = await startStudyApi((response) => {
      const framing = 'transfer-encoding' in headers ? headers : length;
      response.writeHead(201, { 'content-type': 'application/json', ...framing }).end(body);
    });
    const { url, child } = await startReadyProgram({
      // The heap limit that V8 chooses by default in a container with this memory limit.
      nodeArgs: [`--max-old-space-size=${limitMib / 2}`],
      env: {
        STUDY_API_URL: api.url,
        // Calls whose response finds no room in memory fail at this deadline, which bounds the duration of the test.
        STUDY_API_TIMEOUT_MS: '4000',
        ...ofManifests,
      },
    });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());

    const ended = await Promise.all(Array.from({ length: CALLS }, () => create(url, agent)));

    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const peakMib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
    // Of some calls no byte of the answer was read before the deadline: nothing is known of them.
    const endings = ended.filter((ending) => ending !== 'UNKNOWN');
    expect(new Set(endings)).toEqual(new Set(['{"data":{"createStudy":{', 'APPLIED']));
    expect(peakMib).toBeLessThan(SHARE_OF_LIMIT * limitMib);
  },
);
