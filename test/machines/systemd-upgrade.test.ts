// @module-tag coreutils

import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { daily, everyNth } from '../support/daily.js';
import { createScratchCopy, type ScratchCopy } from '../support/scratch-copy.js';
import { startSystemd, type Service } from './systemd.fixture.js';

// The unit and the commands of the guide, as an administrator meets them: by sh, systemctl and HTTP alone.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const guide = readFileSync('docs/operations.md', 'utf8');
const [section = ''] = /^## systemd [^]*?(?=^## )/m.exec(guide) ?? [];
const [install = '', enable = '', upgrade = ''] = Array.from(
  section.matchAll(/^```sh\n([^]*?)^```$/gm),
  ([, commands = '']) => commands,
);

/** Number of requests that must be answered before the next step of a test. */
const SERVED = 200;
/** Linux setting: whether connections in the accept queue of a closing socket move to another process on the port. */
const migration = '/proc/sys/net/ipv4/tcp_migrate_req';
const isMigrating = existsSync(migration) && readFileSync(migration, 'utf8').trim() === '1';

/** The variables of an issuer whose keys never arrive: nobody listens on port 9 (discard). */
const unreachableIssuer = `AUTH_MODE=service
STUDY_API_TOKEN=token
JWT_JWKS_URL=http://127.0.0.1:9
JWT_ISSUER=issuer
JWT_AUDIENCE=gateway`;

let machine: ScratchCopy;
const ends: (() => Promise<void> | void)[] = [];

/** Runs commands of the guide in the folder of the test. Returns the exit code. */
async function run(commands: string): Promise<unknown> {
  const { root } = machine;
  const own = commands.replace('npm ci && ', '').replaceAll(/ (?=\/(?:opt|etc)\/)/g, ` ${root}`);
  const env = { ...process.env, PATH: `${root}/bin:${process.env['PATH']}` };
  const child = execFile('/bin/sh', ['-c', own], { cwd: root, env });
  const [code] = await once(child, 'exit');
  return code;
}

beforeAll(async () => {
  const sources = ['package.json', 'tsconfig.json', 'packages', 'src', 'codegen', 'deploy'];
  machine = createScratchCopy(sources, (end) => ends.push(end));
  for (const folder of ['bin', 'opt', 'etc/systemd/system'])
    mkdirSync(join(machine.root, folder), { recursive: true });
  if ((await run(install)) !== 0) throw new Error('The installation failed.');
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Whether no program listens on the port. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.close();
  return listens;
}

/** Returns the first of ten ports, below those that Linux gives to outgoing connections. */
async function findTenPorts(): Promise<number> {
  const first = randomInt(1_000, 3_270) * 10;
  const free = await Promise.all(Array.from({ length: 10 }, (_, index) => isFree(first + index)));
  return free.every(Boolean) ? first : findTenPorts();
}

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
  const work = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const ending = await visit();
      counts[ending] = (counts[ending] ?? 0) + 1;
    }
  };
  const visitors = Promise.all(Array.from({ length: 4 }, work));
  return {
    /** Waits until more requests were answered. */
    served: async (): Promise<void> => {
      const enough = (counts['200'] ?? 0) + SERVED;
      await expect.poll(() => counts['200'] ?? 0, { interval: 10 }).toBeGreaterThan(enough);
    },
    stop: async (): Promise<typeof counts> => {
      end.abort();
      await visitors;
      return counts;
    },
  };
}

/** Starts two processes by the commands of the guide, with visitors. */
async function startProcesses() {
  const { root } = machine;
  const ports = await findTenPorts();
  const port = ports + 9;
  const settings = `NODE_ENV=production\nSTUDY_API_URL=http://127.0.0.1:9\nPORT=${port}\n`;
  /** Writes the variables of the guide's file. */
  const set = (more = ''): void =>
    writeFileSync(join(root, 'etc/study-gateway.env'), `${settings}${more}\n`);
  set();
  const unit = readFileSync('deploy/systemd/study-gateway@.service', 'utf8')
    .replaceAll('/usr/bin/node', process.execPath)
    .replace('TimeoutStartSec=30', 'TimeoutStartSec=10')
    .replaceAll(/(?<==)(?=\/(?:opt|etc)\/)/g, root)
    .replace('METRICS_PORT=946%i', `METRICS_PORT=${ports / 10}%i`);
  const systemd = await startSystemd(unit, join(root, 'bin'));
  onTestFinished(systemd.close);
  expect(await run(enable)).toBe(0);
  const [first, second] = ['0', '1'].map((name) => systemd.get(`study-gateway@${name}`)) as [
    Service,
    Service,
  ];
  const visitors = startVisitors(port);
  onTestFinished(async () => void (await visitors.stop()));
  await visitors.served();
  return { systemd, first, second, set, visitors };
}

/** Expects that no connection was refused, and that no request had another end than an answer. */
function expectService({
  200: served = 0,
  ECONNRESET = 0,
  ...others
}: Record<string, number>): void {
  expect(others).toEqual({});
  // When a socket closes, Linux resets the connections in its accept queue, unless `tcp_migrate_req` moves them.
  expect(ECONNRESET).toBeLessThanOrEqual(isMigrating ? 0 : served / 100);
}

it('serves all new connections during an upgrade', async () => {
  const { first, second, visitors } = await startProcesses();
  const before = [first.getPid(), second.getPid()];

  expect(await run(upgrade)).toBe(0);

  expect([first.getState(), second.getState()]).toEqual(['active', 'active']);
  expect(before).not.toContain(first.getPid());
  expect(before).not.toContain(second.getPid());
  await visitors.served();
  expectService(await visitors.stop());
});

it.each(
  everyNth(2, [
    ['with an invalid variable', 'STUDY_API_TIMEOUT_MS=soon'],
    ['that does not become ready', unreachableIssuer],
  ]),
)('ends an upgrade at the first process %s, and the other serves', async (_, variable) => {
  const { systemd, first, second, set, visitors } = await startProcesses();
  const pid = second.getPid();
  set(variable);

  await run(upgrade);

  expect(systemd.calls.filter((call) => call.startsWith('restart'))).toEqual([
    'restart study-gateway@0',
  ]);
  expect(first.getState()).not.toBe('active');
  expect([second.getPid(), second.getState()]).toEqual([pid, 'active']);
  await visitors.served();
  expectService(await visitors.stop());
});

daily(() => {
  it('is started again and again, until an outage is over', async () => {
    const { first, set, visitors } = await startProcesses();
    set('STUDY_API_TIMEOUT_MS=soon');
    await run(upgrade);

    await once(first.events, 'start');
    await once(first.events, 'start');
    set();

    await expect.poll(first.getState, { timeout: 20_000 }).toBe('active');
    expectService(await visitors.stop());
  });
});
