import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** Returns the instructions of the repository's Dockerfile, one list for each build stage. */
export function readStages(): Instruction[][] {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ').split('\n');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    if (name) stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

/** Returns the arguments of all instructions with this name. */
export function readAll(stage: readonly Instruction[], wanted: string): string[] {
  return stage.filter(({ name }) => name === wanted).map(({ rest }) => rest);
}

/** Whether Docker's build context has `path`: the last pattern of .dockerignore that matches it or a parent decides. */
export function isInContext(path: string): boolean {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  let isIn = true;
  for (const pattern of patterns) {
    if (pattern === '' || pattern.startsWith('#')) continue;
    const isException = pattern.startsWith('!');
    const name = isException ? pattern.slice(1) : pattern;
    if (name === '*' || path === name || path.startsWith(`${name}/`)) isIn = isException;
  }
  return isIn;
}

/**
 * Executes each stage of the Dockerfile in its own directory, and returns the directory of the last stage. Commands run
 * on this machine instead of in the base image. Links to installed packages replace `npm ci` with dev dependencies.
 */
export function buildStages(directory: string): string {
  const places = new Map<string, string>();
  let place = directory;
  for (const stage of readStages()) {
    const [from = ''] = readAll(stage, 'FROM');
    place = join(directory, / AS (\w+)$/.exec(from)?.[1] ?? 'last');
    places.set(basename(place), place);
    mkdirSync(place);
    for (const { name, rest } of stage) {
      if (name === 'COPY') copy(rest, place, places);
      if (name === 'RUN') run(rest, place);
    }
  }
  return place;
}

function copy(rest: string, place: string, places: ReadonlyMap<string, string>): void {
  const [, stage, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
  const all = paths.split(' ');
  const to = all.pop()!;
  for (const path of all) {
    const target = to.endsWith('/') ? join(place, to, basename(path)) : join(place, to);
    // Moves the files, which is faster than copying: no later instruction needs the files in their stage.
    if (stage) renameSync(join(places.get(stage)!, path.replace('/app/', '')), target);
    else copyFromContext(path, target);
  }
}

function copyFromContext(path: string, target: string): void {
  const source = join(root, path);
  if (!statSync(source).isDirectory() && !isInContext(path))
    throw new Error(`COPY of ${path}, which .dockerignore leaves out`);
  const filter = (file: string): boolean => isInContext(file.slice(root.length + 1));
  cpSync(source, target, { recursive: true, filter });
}

function run(command: string, place: string): void {
  if (/^npm ci(?!.*--omit=dev)/.test(command)) return linkModules(place);
  const env = { ...process.env, npm_config_prefer_offline: 'true' };
  execFileSync('/bin/sh', ['-c', command], {
    cwd: place,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Links the packages that are installed here. The project's own packages are those of the stage, which are not built. */
function linkModules(place: string): void {
  const modules = join(place, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const folder of readdirSync(join(root, 'packages'))) {
    const manifest = join(root, 'packages', folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name }: { name: string } = JSON.parse(readFileSync(manifest, 'utf8'));
    rmSync(join(modules, name));
    const own = join(place, 'packages', folder);
    if (existsSync(own)) symlinkSync(own, join(modules, name));
  }
}
