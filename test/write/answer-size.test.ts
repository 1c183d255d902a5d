import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { toHead } from '../support/faults.js';
import { createStudy, toFailedResponse, toRequestBody } from '../support/operations.js';
import { toPostInit } from '../support/post.js';
import { startReadyProgram } from '../support/process.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 20_000 });

const MIB = 1024 * 1024;
const MAX_GROWTH_MIB = 64;
const json = 'content-type: application/json';
const block = Buffer.alloc(MIB, ' ');
/** One MiB on the wire that carries a sixth of a MiB of content, because each byte is a chunk of its own. */
const byteChunks = Buffer.from('1\r\n \r\n'.repeat(MIB / 6));

/** Sends `head`, then `bytes` without end, as fast as the gateway reads. */
function pour(head: string, bytes: Buffer): Respond {
  return (_response, _call, { socket }) => {
    const write = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.write(head);
    socket.on('drain', write);
    write();
  };
}

async function runCreateStudy(url: string): Promise<{ body: unknown; requestId: string | null }> {
  const response = await fetch(`${url}/graphql`, toPostInit(toRequestBody(createStudy)));
  return { body: await response.json(), requestId: response.headers.get('x-request-id') };
}

/** Reads the resident set size, `VmRSS`, or its peak, `VmHWM`, from /proc. */
function readMemoryMib(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) / 1024;
}

it.runIf(process.platform === 'linux').each([
  { what: 'an endless answer', toApi: () => pour(toHead('200 OK', [json]), block) },
  {
    what: 'an endless answer in chunks of one byte',
    toApi: () => pour(toHead('200 OK', [json, 'transfer-encoding: chunked']), byteChunks),
    env: { STUDY_API_MAX_ANSWER_BYTES: String(MIB) },
  },
])('takes less than 64 MiB for $what', async ({ toApi, env = {} }) => {
  let api: Respond = answerJson(wholeStudy);
  const studyApi = await startStudyApi((...args) => api(...args));
  const program = await startReadyProgram({ env: { STUDY_API_URL: studyApi.url, ...env } });
  const pid = program.child.pid!;
  // Warms up, because the first requests need memory that has nothing to do with the size of a response.
  for (let warmUps = 0; warmUps < 50; warmUps += 1) await runCreateStudy(program.url);
  api = toApi();
  const before = readMemoryMib(pid, 'VmRSS');
  // Resets the peak, `VmHWM`.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');

  const answer = await runCreateStudy(program.url);

  const growth = readMemoryMib(pid, 'VmHWM') - before;
  expect(answer.body).toEqual(
    toFailedResponse(
      createStudy,
      { status: 200, whole: '', ...answer },
      {
        reason: 'The answer of the Study API is longer than the limit.',
        code: 'UPSTREAM_CONTRACT',
        outcome: 'UNKNOWN',
        retryable: { write: false, read: false },
        upstreamStatus: 200,
      },
    ),
  );
  expect(growth).toBeLessThan(MAX_GROWTH_MIB);
});
