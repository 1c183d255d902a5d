import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, vi } from 'vitest';
import { everyNth } from '../support/daily.js';
import emulator from '../../packages/emulator/package.json' with { type: 'json' };
import client from '../../packages/client/package.json' with { type: 'json' };
import contract from '../../packages/contract/package.json' with { type: 'json' };
import outcome from '../../packages/rest-outcome/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { run } from '../support/run.js';
import { createScratchCopy, sources } from '../support/scratch-copy.js';

vi.setConfig({ testTimeout: 60_000 });

const NOT_FOUND = 'TS2307';
const OUTSIDE_OF_ROOT_DIR = 'TS6059';

const doors = [
  {
    project: 'tsconfig.build.json',
    folder: 'src',
    imports: {
      'study-gateway-emulator': undefined,
      'study-gateway-emulator/dist/answers.js': NOT_FOUND,
      '../packages/emulator/src/answers.js': OUTSIDE_OF_ROOT_DIR,
      '../codegen/schema.js': OUTSIDE_OF_ROOT_DIR,
      'study-gateway-contract': undefined,
      'study-gateway-contract/dist/contract.js': NOT_FOUND,
      '../packages/contract/src/contract.js': OUTSIDE_OF_ROOT_DIR,
      'rest-outcome': undefined,
      'rest-outcome/dist/operation.js': NOT_FOUND,
      '../packages/rest-outcome/src/operation.js': OUTSIDE_OF_ROOT_DIR,
    },
  },
  {
    project: 'packages/emulator',
    folder: 'packages/emulator/src',
    imports: { '../../../src/errors/refusal.js': OUTSIDE_OF_ROOT_DIR },
  },
  {
    project: 'packages/rest-outcome',
    folder: 'packages/rest-outcome/src',
    imports: { '../../../src/errors/refusal.js': OUTSIDE_OF_ROOT_DIR },
  },
  {
    project: 'packages/contract',
    folder: 'packages/contract/src',
    imports: { '../../../src/errors/refusal.js': OUTSIDE_OF_ROOT_DIR },
  },
  {
    project: 'packages/client',
    folder: 'packages/client/src',
    imports: { '../../../src/errors/refusal.js': OUTSIDE_OF_ROOT_DIR },
  },
];

it.for(everyNth(3, doors))(
  'the build of $project refuses an import past a door',
  async ({ project, folder, imports }) => {
    const { root } = createScratchCopy(['packages', 'codegen', ...sources]);
    for (const [index, specifier] of Object.keys(imports).entries())
      writeFileSync(join(root, folder, `a${index}.ts`), `export * from '${specifier}';\n`);

    const tsc = [resolve('node_modules/typescript/bin/tsc'), '--pretty', 'false'];
    const failure: unknown = await run(root, process.execPath, [...tsc, '-p', project]).catch(
      (error: unknown) => error,
    );

    const lines = String(failure).split('\n');
    const findError = (index: number) =>
      /error (TS\d+)/.exec(
        lines.find((line) => line.startsWith(`${folder}/a${index}.ts`)) ?? '',
      )?.[1];
    expect(Object.keys(imports).map((_, index) => findError(index))).toEqual(
      Object.values(imports),
    );
  },
);

it('only programs.ts imports the emulator, and nothing in src imports the client', () => {
  const importing = globSync('src/**/*.ts').filter((file) =>
    /'study-gateway-(client|emulator)[/']/.test(readFileSync(file, 'utf8')),
  );

  expect(importing).toEqual(['src/programs.ts']);
});

it('two packages that depend on one thing name one range of it', () => {
  const all = { ...manifest.devDependencies, ...manifest.dependencies };
  const pick = (names: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name in names));

  for (const { dependencies } of [client, emulator, outcome])
    expect(dependencies).toEqual(pick(dependencies));
  // What only reads OpenAPI documents is no dependency of the gateway.
  expect(contract.dependencies).toMatchObject(pick(contract.dependencies));
});

it('rest-outcome depends on undici only, and imports nothing else', () => {
  const imported = globSync('packages/rest-outcome/src/*.ts').flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/from '([^.'][^']*)'/g), ([, name]) => name),
  );

  expect(Object.keys(outcome.dependencies)).toEqual(['undici']);
  expect(new Set(imported.filter((name) => !name?.startsWith('node:')))).toEqual(
    new Set(['undici']),
  );
});
