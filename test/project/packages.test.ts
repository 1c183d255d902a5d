import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, vi } from 'vitest';
import { everyNth } from '../support/daily.js';
import { run } from '../support/run.js';
import { createScratchCopy, sources } from '../support/scratch-copy.js';

vi.setConfig({ testTimeout: 60_000 });

const NOT_FOUND = 'TS2307';
const OUTSIDE_OF_ROOT_DIR = 'TS6059';

const past = {
  'study-gateway-emulator': undefined,
  'study-gateway-emulator/dist/answers.js': NOT_FOUND,
  'study-gateway-contract': undefined,
  'study-gateway-contract/dist/contract.js': NOT_FOUND,
  'rest-outcome': undefined,
  'rest-outcome/dist/ledger.js': NOT_FOUND,
  '../packages/rest-outcome/src/ledger.js': OUTSIDE_OF_ROOT_DIR,
  '../codegen/files.js': OUTSIDE_OF_ROOT_DIR,
};
const ofGateway = { '../../../src/errors/refusal.js': OUTSIDE_OF_ROOT_DIR };
const doors = [
  { project: 'tsconfig.build.json', folder: 'src', imports: past },
  ...['planned-execution', 'rest-outcome', 'emulator', 'contract', 'client'].map((name) => ({
    project: `packages/${name}`,
    folder: `packages/${name}/src`,
    imports: ofGateway,
  })),
];

it.for(everyNth(3, doors))(
  'the build of $project refuses an import past a door',
  async ({ project, folder, imports }) => {
    const { root } = createScratchCopy(['packages', 'codegen', ...sources]);
    const specifiers: readonly string[] = Object.keys(imports);
    for (const [index, specifier] of specifiers.entries())
      writeFileSync(join(root, folder, `a${index}.ts`), `export * from '${specifier}';\n`);
    // The settings of the build, for these files alone.
    const own = project.endsWith('.json') ? project : `${project}/tsconfig.json`;
    const files = specifiers.map((_, index) => `${folder}/a${index}.ts`);
    const config = { extends: `./${own}`, include: [], files };
    writeFileSync(join(root, 'tsconfig.doors.json'), JSON.stringify(config));

    const tsc = [resolve('node_modules/typescript/bin/tsc'), '--pretty', 'false'];
    const args = [...tsc, '-p', 'tsconfig.doors.json'];
    const failure: unknown = await run(root, process.execPath, args).catch(
      (error: unknown) => error,
    );

    const lines = String(failure).split('\n');
    const findError = (index: number) =>
      /error (TS\d+)/.exec(
        lines.find((line) => line.startsWith(`${folder}/a${index}.ts`)) ?? '',
      )?.[1];
    expect(specifiers.map((_, index) => findError(index))).toEqual(Object.values(imports));
  },
);

it('only start.ts imports the emulator, and nothing in src imports the client', () => {
  const importing = globSync('src/**/*.ts').filter((file) =>
    /'study-gateway-(client|emulator)[/']/.test(readFileSync(file, 'utf8')),
  );

  expect(importing).toEqual(['src/start.ts']);
});

it.each([
  ['rest-outcome', ['undici']],
  ['planned-execution', ['@apollo/server', 'graphql', 'lru-cache']],
])('%s imports %j only, but in a store for Redis', (name, packages) => {
  const files = globSync(`packages/${name}/src/*.ts`).filter(
    (file) => !file.endsWith('redis.store.ts'),
  );
  const imported = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/from '([^.'][^']*)'/g), ([, name]) => name),
  );

  expect(new Set(imported.filter((name) => !name?.startsWith('node:')))).toEqual(new Set(packages));
});

it('the lock file records no address of a registry', () => {
  // The ones that are recorded are the folders of the workspaces.
  expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(
    /"resolved": "(?!packages\/[\w-]+"|\.ci\/node")/,
  );
});

it('npm start says in one line that npm ci must run first', async () => {
  const { root } = createScratchCopy(['package.json', '.npmrc']);
  rmSync(join(root, 'node_modules'));

  await expect(run(root, 'npm', ['start'])).rejects.toThrow(
    /\n\nstudy-gateway is not installed yet: run npm ci first\.\n$/,
  );
});
