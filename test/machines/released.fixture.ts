import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import released from '../../schema/released.json' with { type: 'json' };
import { createProject, install, packAll, remove } from '../consumers/project.fixture.js';
import { createDirectory } from '../support/process.js';
import { root, run } from '../support/run.js';

/** Time for all packages of the last release, also those for development, from the registry. */
const INSTALL_MS = 300_000;

/** Paths of two installed gateways, each from its packed files. */
interface Installed {
  /** That of the last release, built from its commit. */
  readonly released: string;
  /** That of this tree. */
  readonly current: string;
}

/** Packs and installs the gateways of the last release and of this tree. Needs the whole history, and the npm registry. */
export async function installVersions(): Promise<Installed> {
  const packages = await packAll();
  onTestFinished(() => remove(packages.directory));
  const { gateway, emulator, outcome, contract, probe } = packages;
  return {
    released: await installGateway(await packReleased()),
    current: await installGateway([gateway, emulator, outcome, contract, probe]),
  };
}

/** Returns the paths of the packed files of the last release. */
async function packReleased(): Promise<string[]> {
  const subject = `release: ${released.version}`;
  const log = await run(root, 'git', ['log', '--format=%H %s']);
  const commit = new RegExp(`^(\\w+) ${subject}$`, 'm').exec(log)?.[1];
  expect(commit, `The history of this checkout has no commit "${subject}"`).toBeDefined();
  const directory = createDirectory();
  await run(root, 'sh', ['-c', `git archive ${commit} | tar -x -C ${directory}`]);
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run(directory, 'npm', ['ci', ...options], INSTALL_MS);
  await run(directory, 'npm', ['run', '--silent', 'build']);
  const all = existsSync(join(directory, 'packages'))
    ? ['--workspace', 'packages', '--include-workspace-root']
    : [];
  await run(directory, 'npm', ['pack', '--ignore-scripts', ...all]);
  return globSync(join(directory, '*.tgz')).filter((path) => !path.includes('-client-'));
}

async function installGateway(packed: readonly string[]): Promise<string> {
  const project = createProject(join(createDirectory(), 'project'));
  await install(project, packed);
  return join(project, 'node_modules/study-gateway/dist/main.js');
}
