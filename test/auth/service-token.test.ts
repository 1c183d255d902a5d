import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { watchFiles } from '../../src/config/watched-file.js';
import { createDirectory } from '../support/process.js';
import { ownToken, startTestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { ask } from '../support/standing.js';

// The file is polled each second.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return () => vi.useRealTimers();
});

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
  /** Lets the gateway poll the file, and waits until it has logged `msg` this often. */
  const poll = (msg: string, times: number) => {
    vi.advanceTimersByTime(1_000);
    return vi.waitFor(() => expect(count(msg)).toBe(times), { interval: 5, timeout: 10_000 });
  };
  expect(await readUsed()).toBe('Bearer first');

  put('second');
  await poll(changed, 1);
  expect(await readUsed()).toBe('Bearer second');

  const spoils = [
    () => rmSync(path),
    () => writeFileSync(path, '\n'),
    () => writeFileSync(path, 'no token'),
  ];
  for (const [index, spoil] of spoils.entries()) {
    spoil();
    await poll(broken, index + 1);
    vi.advanceTimersByTime(1_000);
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

it('reads a changed file again after a failed read, and reports the failure once', async () => {
  const path = join(createDirectory(), 'file');
  writeFileSync(path, '');
  let reads = 0;
  /** Fails twice after the first read, as when the process has no free descriptor. */
  const read = async (): Promise<number> => {
    reads++;
    if (reads === 2 || reads === 3) throw new Error('EMFILE');
    return reads;
  };
  const onChange = vi.fn<() => void>();
  const onBroken = vi.fn<() => void>();
  const watched = await watchFiles([path], read, onChange, onBroken);
  writeFileSync(`${path}.next`, '');
  renameSync(`${path}.next`, path);
  for (const wanted of [2, 3, 4]) {
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(reads).toBe(wanted), { interval: 5, timeout: 10_000 });
  }
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce(), { interval: 5, timeout: 10_000 });
  expect([watched.current, onBroken.mock.calls.length]).toEqual([4, 1]);
  watched.close();
});
