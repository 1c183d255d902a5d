// @module-tag coreutils

import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createDirectory } from '../support/process.js';
import { isMigrating } from './replica.fixture.js';

// The commands of the guide and the unit, with a `systemctl` that does what systemd does for them.

vi.setConfig({ testTimeout: 120_000 });

const guide = readFileSync('docs/operations.md', 'utf8');
const [section = ''] = /^## systemd [^]*?(?=^## )/m.exec(guide) ?? [];
const [install = '', enable = '', upgrade = ''] = Array.from(
  section.matchAll(/^```sh\n([^]*?)^```$/gm),
  ([, commands = '']) => commands,
);
const unit = readFileSync('deploy/systemd/study-gateway@.service', 'utf8');
const [, environment = ''] = /^Environment=(.*)946%i$/m.exec(unit)!;
const [, isReady = ''] = /^ExecStartPost=\/usr\/bin\/node -e "([^"]*)"$/m.exec(unit)!;

/** Number of requests that must be answered before the next step of a test. */
const SERVED = 100;

/** A restart is a stop, a start, and ExecStartPost. The process id of instance 0 is in the file `0`. */
const systemctl = `#!/bin/sh
cd "$(dirname "$0")/.."
echo "$*" >>calls
[ "$1" != enable ] || shift
shift
for unit; do
  i=\${unit#*@}
  [ ! -f $i ] || { kill $(cat $i); tail -s 0.1 --pid=$(cat $i) -f /dev/null; }
  export ${environment}$(cat metrics)$i
  set -a && . etc/study-gateway.env && set +a
  (cd opt/study-gateway && exec '${process.execPath}' dist/main.js) >/dev/null 2>&1 &
  export MAINPID=$!
  echo $MAINPID >$i
  timeout 10 '${process.execPath}' is-ready.cjs || { kill -KILL $MAINPID; exit 1; }
done
`;

/** Sends requests, each on a new connection, and counts them by status or by the error of the connection. */
function startVisitors(port: number) {
  const counts: Record<string, number> = {};
  const end = new AbortController();
  const visit = (): Promise<string> =>
    new Promise((resolve) => {
      get({ port, path: '/health/live', agent: false }, (response) => {
        response.resume().once('close', () => resolve(String(response.statusCode)));
      }).once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    });
  const visitors = Array.from({ length: 4 }, async () => {
    while (!end.signal.aborted) {
      const ending = await visit();
      counts[ending] = (counts[ending] ?? 0) + 1;
    }
  });
  const served = async (): Promise<void> => {
    const enough = (counts['200'] ?? 0) + SERVED;
    await expect.poll(() => counts['200'] ?? 0, { interval: 10 }).toBeGreaterThan(enough);
  };
  onTestFinished(() => end.abort());
  return {
    served,
    /** Expects that no connection was refused, and that no request had another end than an answer. */
    expectService: async (): Promise<void> => {
      await served();
      end.abort();
      await Promise.all(visitors);
      const { 200: answered = 0, ECONNRESET = 0, ...others } = counts;
      expect(others).toEqual({});
      expect(ECONNRESET).toBeLessThanOrEqual(isMigrating ? 0 : answered / 100);
    },
  };
}

/** Installs the build in place of the bundle, and starts two processes by the commands of the guide, with visitors. */
async function startProcesses() {
  const root = createDirectory();
  for (const folder of ['bin', 'etc/systemd/system', 'opt/study-gateway'])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(resolve('node_modules'), join(root, 'opt/study-gateway/node_modules'));
  // Below the ports that Linux gives to outgoing connections.
  const ports = randomInt(1_000, 3_270);
  const port = ports * 10 + 9;
  writeFileSync(join(root, 'metrics'), String(ports));
  writeFileSync(join(root, 'is-ready.cjs'), isReady.replaceAll('\\\n', '\n'));
  writeFileSync(join(root, 'bin/systemctl'), systemctl, { mode: 0o755 });
  const set = (more = ''): void => {
    const settings = `NODE_ENV=production\nSTUDY_API_URL=http://127.0.0.1:9\nPORT=${port}\n`;
    writeFileSync(join(root, 'etc/study-gateway.env'), `${settings}${more}\n`);
  };
  const run = async (commands: string): Promise<unknown> => {
    const own = commands
      .replace('npm ci && npm run bundle\n', '')
      .replace('bundle/. dist/explorer', 'dist/.')
      .replaceAll(/ (?=\/(?:opt|etc)\/)/g, ` ${root}`);
    const env = { ...process.env, PATH: `${root}/bin:${process.env['PATH']}` };
    const [code] = await once(execFile('/bin/sh', ['-ec', own], { env }), 'exit');
    return code;
  };
  const getPids = (): number[] =>
    ['0', '1'].map((name) =>
      Number(existsSync(join(root, name)) && readFileSync(join(root, name))),
    );
  const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}/exe`);
  onTestFinished(() => getPids().forEach((pid) => isRunning(pid) && process.kill(pid, 'SIGKILL')));

  set();
  expect([await run(install), await run(enable)]).toEqual([0, 0]);
  const visitors = startVisitors(port);
  await visitors.served();
  const readCalls = (): string[] => readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');
  return { run, set, getPids, isRunning, readCalls, ...visitors };
}

it('serves all new connections during an upgrade, and during one that ends at the first process, with an invalid variable', async () => {
  const { run, set, getPids, isRunning, readCalls, expectService } = await startProcesses();
  const before = getPids();

  expect(await run(upgrade)).toBe(0);

  const after = getPids();
  expect(after.filter((pid) => before.includes(pid) || !isRunning(pid))).toEqual([]);
  expect(before.filter(isRunning)).toEqual([]);
  const restarts = readCalls().length;
  set('STUDY_API_TIMEOUT_MS=soon');

  await run(upgrade);

  expect(readCalls().slice(restarts)).toEqual(['restart study-gateway@0']);
  expect(getPids().map(isRunning)).toEqual([false, true]);
  expect(getPids()[1]).toBe(after[1]);
  await expectService();
});
