// Tries the packed files in a folder: installs them in an empty project, starts gateway and emulator from there, creates a
// study, and stops. Node runs this script as it is.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const root = join(import.meta.dirname, '../..');
const folder = resolve(process.argv[2] ?? 'release');
const project = join(folder, 'project');
const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })].map(
  (path): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8')),
);

function install(): void {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const packed = globSync('*.tgz', { cwd: folder }).map((name) => join(folder, name));
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...options, ...packed], { cwd: project, stdio: 'inherit' });
  const missing = manifests.flatMap(({ name, bin = {}, exports }) => {
    const targets = [...Object.values(bin), ...Object.values(exports)];
    return targets
      .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
      .map((path) => join(project, 'node_modules', name, path))
      .filter((path) => !existsSync(path));
  });
  if (missing.length > 0) throw new Error(`No packed file has ${missing.join(', ')}.`);
}

async function createStudy(): Promise<void> {
  const { PATH, HOME } = process.env;
  const gateway = spawn(join(project, 'node_modules/.bin/study-gateway'), {
    cwd: project,
    env: { PATH, HOME, PORT: '0', EMULATOR_PORT: '0', EMULATOR_DB: ':memory:' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(gateway, 'exit');
  let answer: unknown = 'The gateway printed no address.';
  for await (const line of createInterface(gateway.stdout)) {
    const [, url] = /^ +GraphQL +(\S+) /.exec(line) ?? [];
    if (!url) continue;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-token' },
      body: '{"query":"mutation { createStudy(input: { description: \\"Why?\\" }) { id description } }"}',
    });
    answer = await response.text();
    gateway.kill('SIGTERM');
  }
  const [code, signal] = await ended;
  if (!/"createStudy":\{"id":"[\da-f-]{36}","description":"Why\?"\}/.test(String(answer)))
    throw new Error(`No study was created: ${String(answer)}`);
  if (code !== 0) throw new Error(`The gateway ended with ${code ?? signal}.`);
}

install();
await createStudy();
