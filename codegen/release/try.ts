// Tries the packed files in a folder: installs them in an empty project, starts gateway and emulator from there, creates a
// study, and stops.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createStudy } from '../bundle/create-study.js';

const folder = resolve(process.argv[2] ?? 'release');
const project = join(folder, 'project');

mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
const packed = globSync('*.tgz', { cwd: folder }).map((name) => join(folder, name));
const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--silent'];
execFileSync('npm', ['install', ...options, ...packed], { cwd: project, stdio: 'inherit' });

const env = { EMULATOR_PORT: '0', EMULATOR_DB: ':memory:' };
const command = join(project, 'node_modules/.bin/study-gateway');
await createStudy(command, [], env, /^ +GraphQL +(\S+)\/graphql$/);
