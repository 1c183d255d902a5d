import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

/** Describes the machine that runs the benchmark. */
export function describeMachine(): object {
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? 'unknown',
    processors: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
  };
}

/** Returns the versions of Node and study-gateway. */
export function readOwnVersions(): Record<string, string> {
  return {
    node: process.versions.node,
    'study-gateway': readPackage('../../package.json').version,
  };
}

/** Returns the versions of Node, study-gateway and the contenders' packages. */
export function readVersions(): Record<string, string> {
  const { dependencies } = readPackage('../package.json');
  const packages = Object.keys(dependencies ?? {}).map((name) => [
    name,
    readPackage(`../node_modules/${name}/package.json`).version,
  ]);
  return { ...readOwnVersions(), ...Object.fromEntries(packages) };
}

function readPackage(path: string): { version: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
