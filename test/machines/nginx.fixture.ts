import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createDirectory, findFreePort } from '../support/process.js';

/** The nginx configuration in `deploy/`. */
export const nginxConfig = readFileSync(
  new URL('../../deploy/nginx/study-gateway.conf', import.meta.url),
  'utf8',
);

const missing =
  'nginx is not installed, and the tests of several machines need it: apt-get install nginx.';

/** Returns a main configuration with which nginx writes only below `directory`. It includes the tested configuration. */
function toMainConfig(directory: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(directory, name)};`,
  );
  return [
    // Started as root, nginx runs its workers as `nobody` by default, who could not write to this directory.
    process.getuid?.() === 0 ? 'user root;' : '',
    'daemon off;',
    'worker_processes 2;',
    `pid ${join(directory, 'nginx.pid')};`,
    `error_log ${join(directory, 'error.log')} info;`,
    'events { worker_connections 1024; }',
    'http {',
    '  access_log off;',
    ...temporary,
    `  include ${join(directory, 'conf.d', '*.conf')};`,
    '}',
  ].join('\n');
}

/** Returns the configuration in `deploy/` with only its addresses replaced. */
function toOwnAddresses(port: number, gateways: readonly number[]): string {
  const left = [...gateways];
  const config = nginxConfig
    .replace(/listen 80;/, `listen 127.0.0.1:${port};`)
    .replace(/192\.0\.2\.\d+:4000/g, () => `127.0.0.1:${left.shift()}`);
  expect(left).toEqual([]);
  expect(config).not.toMatch(/192\.0\.2|listen 80|undefined/);
  return config;
}

export interface Nginx {
  readonly url: string;
  /** Returns nginx's error log, at level `info` and above. */
  readonly readLog: () => string;
}

/** Starts nginx with the configuration in `deploy/` in front of gateways on these ports. Stops nginx after the test. */
export async function startNginx(gateways: readonly number[]): Promise<Nginx> {
  const directory = createDirectory();
  const port = await findFreePort();
  const log = join(directory, 'error.log');
  mkdirSync(join(directory, 'conf.d'));
  writeFileSync(join(directory, 'nginx.conf'), toMainConfig(directory));
  writeFileSync(join(directory, 'conf.d', 'study-gateway.conf'), toOwnAddresses(port, gateways));
  const args = ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', log];

  const checked = spawnSync('nginx', [...args, '-t'], { encoding: 'utf8' });
  if (checked.error) throw new Error(missing, { cause: checked.error });
  expect(checked).toMatchObject({ status: 0, stderr: expect.stringContaining('test is success') });
  expect(checked.stderr).not.toMatch(/\[(warn|emerg|error)\]/);

  const child = spawn('nginx', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    // The master process stops its workers.
    child.kill('SIGTERM');
    await ended;
  });
  await waitForListening(port, child);
  return { url: `http://127.0.0.1:${port}`, readLog: () => readFileSync(log, 'utf8') };
}

async function waitForListening(port: number, child: ChildProcess): Promise<void> {
  // Any status proves that nginx listens: 502 if no gateway runs yet.
  const ask = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(({ status }) => status);
  await expect
    .poll(() => ask().catch(() => 0), { timeout: 5_000, interval: 10 })
    .toBeGreaterThan(0);
  expect(child.exitCode).toBeNull();
}
