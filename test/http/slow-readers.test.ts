import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
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
const settings = {
  api: answerJson(study),
  maxAnswerBytes: LONG + 10_000,
  // Longer than the test, so that only the limits of responses end anything.
  requestTimeoutMs: 600_000,
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

/** Reads the rest of a response. Returns false if the gateway has closed the connection before the end. */
async function readRest(response: IncomingMessage): Promise<boolean> {
  await new Promise((resolve) => void response.once('close', resolve).resume());
  return response.complete;
}

function findCuts({ log }: TestGateway): readonly object[] {
  return log.filter(({ msg }) => String(msg).includes('read its response too slowly'));
}
const cut = { level: 40, requestId: expect.any(String), bytes: expect.any(Number) };

it('closes the connection of the oldest reader when responses that are not yet written are too long together', async () => {
  const gateway = await startTestGateway({ ...settings, maxUnwrittenBytes: 3 * LONG });
  const oldest = await open(gateway);
  const newer = await open(gateway);

  const { body } = await run(gateway, createStudy);

  expect(body).toEqual({ data: { createStudy: study } });
  expect(findCuts(gateway)).toMatchObject([cut]);
  expect([await readRest(oldest), await readRest(newer)]).toEqual([false, true]);
});

it('sends a response that is longer than all may be together', async () => {
  const gateway = await startTestGateway({ ...settings, maxUnwrittenBytes: LONG });
  const slow = await open(gateway);

  const { body } = await run(gateway, createStudy);

  expect(body).toEqual({ data: { createStudy: study } });
  expect(findCuts(gateway)).toEqual([]);
  expect(await readRest(slow)).toBe(true);
});

it('closes the connection of a reader that takes too long, and no other', async () => {
  const gateway = await startTestGateway({ ...settings, maxReadMs: 1_000 });
  const { body } = await run(gateway, createStudy);
  const slow = await open(gateway);

  await expect.poll(() => findCuts(gateway), { timeout: 10_000 }).toMatchObject([cut]);
  expect(await readRest(slow)).toBe(false);
  // Its time would have ended before that of the slow reader.
  expect(body).toEqual({ data: { createStudy: study } });
  expect(findCuts(gateway)).toHaveLength(1);
});
