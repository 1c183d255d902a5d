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
  const { dependencies, optionalDependencies } = readPackage('../package.json');
  const packages = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => [
    name,
    readInstalledVersion(name),
  ]);
  return { ...readOwnVersions(), ...Object.fromEntries(packages) };
}

/** Optional packages are absent from machines that they do not support. */
function readInstalledVersion(name: string): string {
  try {
    return readPackage(`../node_modules/${name}/package.json`).version;
  } catch {
    return 'not installed';
  }
}

interface Package {
  readonly version: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

function readPackage(path: string): Package {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
