// Tries the packed files in a folder: installs them in an empty project, starts gateway and emulator from there, creates a
// study, and stops.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createStudy } from '../bundle/create-study.js';

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const root = join(import.meta.dirname, '../..');
const folder = resolve(process.argv[2] ?? 'release');
const project = join(folder, 'project');

mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
const packed = globSync('*.tgz', { cwd: folder }).map((name) => join(folder, name));
const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--silent'];
execFileSync('npm', ['install', ...options, ...packed], { cwd: project, stdio: 'inherit' });

const missing = ['package.json', ...globSync('packages/*/package.json', { cwd: root })]
  .map((path): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8')))
  .flatMap(({ name, bin = {}, exports }) =>
    [...Object.values(bin), ...Object.values(exports)]
      .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
      .map((path) => join(project, 'node_modules', name, path)),
  )
  .filter((path) => !existsSync(path));
if (missing.length > 0) throw new Error(`No packed file has ${missing.join(', ')}.`);

const env = { EMULATOR_PORT: '0', EMULATOR_DB: ':memory:' };
const command = join(project, 'node_modules/.bin/study-gateway');
await createStudy(command, [], env, /^ +GraphQL +(\S+)\/graphql /);
