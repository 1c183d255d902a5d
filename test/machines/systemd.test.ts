import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { createDirectory, findFreePort, startReadyProgram } from '../support/process.js';

const unit = readFileSync(
  new URL('../../deploy/systemd/study-gateway@.service', import.meta.url),
  'utf8',
);

function read(name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
}

it('has only settings that systemd knows', { tags: ['systemd-analyze'] }, () => {
  const path = join(createDirectory(), 'study-gateway@.service');
  writeFileSync(path, unit.replaceAll('/usr/bin/node', process.execPath));

  const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('waits until its process is ready, and fails when the process has ended', async () => {
  const METRICS_PORT = String(await findFreePort());
  const { child, kill, exit } = await startReadyProgram({ env: { METRICS_PORT } });
  const [, command = ''] = /^ExecStartPost=\/usr\/bin\/node -e "([^"]*)"$/m.exec(unit) ?? [];
  const env = { METRICS_PORT, MAINPID: String(child.pid) };
  const start = () =>
    spawnSync(process.execPath, ['-e', command.replaceAll('\\\n', '\n')], { env }).status;

  expect(start()).toBe(0);
  kill('SIGTERM');
  await exit;
  expect(start()).toBe(1);
});

it('gives a process enough time for a graceful shutdown', () => {
  expect(read('KillSignal')).toBe('SIGTERM');
  expect(Number(read('TimeoutStopSec')) * 1_000).toBeGreaterThanOrEqual(
    readConfig({}).http.shutdownGraceMs + 5_000,
  );
});

it('runs processes as one user, which share a port and have separate metrics ports', () => {
  const toEnvironment = (instance: number): Record<string, string> =>
    Object.fromEntries(
      read('Environment')!
        .replaceAll('%i', String(instance))
        .split(' ')
        .map((pair) => pair.split('=')),
    ) as Record<string, string>;

  expect(read('User')).toBe('study-gateway');
  expect(readConfig(toEnvironment(0))).toMatchObject({
    http: { reusePort: true },
    telemetry: { metricsPort: 9460 },
  });
  expect(readConfig(toEnvironment(3))).toMatchObject({
    http: { reusePort: true },
    telemetry: { metricsPort: 9463 },
  });
});

it('allows each process enough file descriptors for all connections that the gateway allows', () => {
  const { http, rest } = readConfig({});

  expect(Number(read('LimitNOFILE'))).toBeGreaterThan(http.maxConnections + rest.maxCalls + 1_000);
});
