import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createDirectory } from '../support/process.js';
import { ownToken, startTestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { ask } from '../support/standing.js';

// The file is polled each second.
vi.setConfig({ testTimeout: 60_000 });

it('calls with the token in a file, and with a new one as soon as the file has it; keeps the last one while the file has none, and logs this once', async () => {
  const path = join(createDirectory(), 'token');
  const put = (text: string): void => {
    writeFileSync(`${path}.next`, text);
    renameSync(`${path}.next`, path);
  };
  put('first\n');
  const gateway = await startTestGateway({ ...ownToken, studyApiTokenFile: path });
  /** Makes a call, and returns the token with which the Study API was called. */
  const readUsed = async (): Promise<string | undefined> => {
    await ask(gateway, token);
    return gateway.calls.at(-1)?.headers.authorization;
  };
  const count = (text: string): number => gateway.log.filter(({ msg }) => msg === text).length;
  const changed = 'the token of the Study API was changed';
  const broken = 'the token of the Study API cannot be read';
  /** Waits until the gateway has logged `msg` this often. */
  const poll = (msg: string, times: number) =>
    vi.waitFor(() => expect(count(msg)).toBe(times), { interval: 5, timeout: 10_000 });
  expect(await readUsed()).toBe('Bearer first');

  put('second');
  await poll(changed, 1);
  expect(await readUsed()).toBe('Bearer second');

  const spoils = [() => rmSync(path), () => writeFileSync(path, 'no token')];
  for (const [index, spoil] of spoils.entries()) {
    spoil();
    await poll(broken, index + 1);
    const last = await readUsed();
    put(`after-${index}`);
    await poll(changed, index + 2);

    expect([last, await readUsed()]).toEqual([
      index === 0 ? 'Bearer second' : `Bearer after-${index - 1}`,
      `Bearer after-${index}`,
    ]);
    expect(count(broken)).toBe(index + 1);
  }
  expect(gateway.log.find(({ msg }) => msg === broken)).toMatchObject({ level: 40 });
  expect(JSON.stringify(gateway.log)).not.toMatch(/first|second|after-/);
});
