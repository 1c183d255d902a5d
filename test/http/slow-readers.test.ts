import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createStudy, run, toRequestBody } from '../support/operations.js';
import { token } from '../support/post.js';
import { answerJson } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 30_000 });

/** Length of a description. Exceeds the socket buffers, so the gateway must hold it while the client does not read. */
const LONG = 24_000_000;
const study = { ...wholeStudy, description: 'x'.repeat(LONG) };
const roomForOne = {
  maxAnswerBytes: LONG + 10_000,
  answerBudgetBytes: LONG + 10_000,
  // Longer than the test, so that only the checks of readers end anything.
  requestTimeoutMs: 600_000,
  // Shorter than the time in which a reader must take a slice.
  deadlineMs: 9_000,
};

/** Creates a study as a client that reads only the headers of its response. */
async function open(gateway: TestGateway): Promise<IncomingMessage> {
  const client = request(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });
  client.on('error', () => {});
  client.end(toRequestBody(createStudy));
  const [response] = (await once(client, 'response')) as [IncomingMessage];
  return response.on('error', () => {}).pause();
}

function findCuts({ log }: TestGateway): readonly object[] {
  return log.filter(({ msg }) => String(msg).includes('read its response too slowly'));
}
const cut = {
  level: 40,
  requestId: expect.any(String),
  takenBytes: expect.any(Number),
  bytes: expect.any(Number),
};

it('disconnects clients that do not read when another operation needs the memory of their responses', async () => {
  const gateway = await startTestGateway({ ...roomForOne, api: answerJson(study) });
  const slow = await open(gateway);

  const { body } = await run(gateway, createStudy);

  expect(body).toEqual({ data: { createStudy: study } });
  expect(findCuts(gateway)).toMatchObject([cut]);
  slow.destroy();
});

it('disconnects a client that reads more slowly than 13 KB/s, and serves one that reads faster', async () => {
  const gateway = await startTestGateway({
    ...roomForOne,
    answerBudgetBytes: 3 * LONG,
    api: answerJson(study),
  });
  const [slow, fast] = [await open(gateway), await open(gateway)];
  const closed = once(slow.socket, 'close');
  let length = 0;
  const ended = (async () => {
    for await (const chunk of fast as AsyncIterable<Buffer>) {
      length += chunk.length;
      // About 4 MB/s, so that the response takes longer than any reader may stand still.
      await wait(30);
    }
  })();

  await expect.poll(() => findCuts(gateway), { timeout: 20_000 }).toMatchObject([cut]);
  slow.resume();
  await closed;
  await ended;

  expect(findCuts(gateway)).toHaveLength(1);
  expect(length).toBeGreaterThan(LONG);
});
