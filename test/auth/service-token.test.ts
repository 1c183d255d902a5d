import { hash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createDirectory } from '../support/process.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ask } from '../support/standing.js';

/** Starts a gateway that reads its token from a file, and returns `put`, which writes another token to the file. */
async function startWithFile(): Promise<{
  gateway: TestGateway;
  path: string;
  put: (text: string) => void;
}> {
  const path = join(createDirectory(), 'token');
  const put = (text: string): void => {
    writeFileSync(`${path}.next`, text);
    renameSync(`${path}.next`, path);
  };
  put('first\n');
  const gateway = await startTestGateway({
    authMode: 'service',
    studyApiTokenFile: path,
    apiKeys: [{ name: 'ci', sha256: hash('sha256', 'ci-key'), mayWrite: true }],
  });
  return { gateway, path, put };
}

/** Makes a call, and returns its `Authorization` header. */
async function readUsed(gateway: TestGateway): Promise<string | undefined> {
  await ask(gateway, 'ci-key');
  return gateway.calls.at(-1)?.headers.authorization;
}

it('calls with the token in a file, and with a new token as soon as the file has one', async () => {
  const { gateway, put } = await startWithFile();
  expect(await readUsed(gateway)).toBe('Bearer first');

  put('second');

  await vi.waitFor(async () => expect(await readUsed(gateway)).toBe('Bearer second'), 5_000);
  expect(JSON.stringify(gateway.log)).not.toMatch(/first|second/);
});

it.each<[string, (path: string) => void]>([
  ['is gone', (path) => rmSync(path)],
  ['is empty', (path) => writeFileSync(path, '\n')],
  ['holds something else', (path) => writeFileSync(path, 'no token')],
])('keeps using the last token while the file %s, and logs this once', async (_, spoil) => {
  const { gateway, path, put } = await startWithFile();

  spoil(path);

  const said = { level: 40, msg: 'the token of the Study API cannot be read' };
  await vi.waitFor(() => expect(gateway.log).toContainEqual(expect.objectContaining(said)), 5_000);
  expect(await readUsed(gateway)).toBe('Bearer first');
  put('second');
  await vi.waitFor(async () => expect(await readUsed(gateway)).toBe('Bearer second'), 5_000);
  expect(gateway.log.filter(({ msg }) => msg === said.msg)).toHaveLength(1);
});
