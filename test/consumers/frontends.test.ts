// @module-tag bash

import { cpSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allDaily, daily } from '../support/daily.js';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { root, run } from '../support/run.js';
import {
  bundle,
  bundleAll,
  copyRecipes,
  createConsumers,
  createFolder,
  createProject,
  install,
  readLocked,
  remove,
  toPacked,
  toSpecs,
} from './project.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** What frontends have beside the package. */
const companions = [
  '@apollo/client',
  '@tanstack/react-query',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  '@urql/core',
  'graphql',
  'graphql-request',
  'react',
  'react-dom',
  'rxjs',
  'typescript',
];

const directory = createFolder();
const packed = toPacked(directory, 'study-gateway-client');
const options = ['--silent', '--ignore-scripts', '--pack-destination', directory];
beforeAll(() => run(root, 'npm', ['pack', '--workspace', 'study-gateway-client', ...options]));
afterAll(() => remove(directory));

/** Runs a program of a project against a gateway in front of an emulator, and returns what it printed. */
async function runConsumer(
  project: string,
  file: string,
  options: TestGatewayOptions = {},
): Promise<string> {
  const emulator = await startTestEmulator();
  const { url } = await startTestGateway({ ...options, studyApiUrl: emulator.url });
  return run(project, process.execPath, [file, `${url}/graphql`]);
}

/** For the tests that follow, in one installation. */
const others = ['apollo-3@npm:@apollo/client@~3.14.0', 'relay-runtime@21', 'msw@3'];
const newest = { name: 'React 19 and TypeScript 7', versions: {}, others };
const oldest = {
  name: 'React 18 and TypeScript 5.9',
  others: [],
  versions: {
    react: '^18.0.0',
    'react-dom': '^18.0.0',
    '@types/react': '^18.0.0',
    '@types/react-dom': '^18.0.0',
    typescript: '~5.9.0',
  },
};

describe.for(allDaily([oldest, newest], [newest]))('a project with $name', (row) => {
  const { name, versions, others } = row;
  let project: string;
  beforeAll(async () => {
    project = createConsumers(join(directory, name));
    copyRecipes(project, 'apollo-retries.ts');
    // `npm` would not install two versions of Apollo Client beside the newest React otherwise.
    const specs = [...toSpecs(companions, versions), ...others, packed];
    await install(project, specs, '--legacy-peer-deps');
    await compile('--module', 'node16');
  });

  /** Fails with the errors of the compiler, also where an incomplete `matchProblem` is none. */
  function compile(...flags: string[]): Promise<string> {
    return run(project, join(project, 'node_modules/.bin/tsc'), flags);
  }

  it('type-checks as a bundler resolves', async () => {
    expect(await compile('--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler')).toBe(
      '',
    );
  });

  it('marks the modules with hooks, and no others, as client modules', () => {
    const built = join(project, 'node_modules/study-gateway-client/dist');
    const isMarked = (file: string) =>
      readFileSync(join(built, file), 'utf8').startsWith("'use client';");

    const hooks = ['generated/hooks.js', 'apollo/study-progress.js', 'react/index.js'];
    const others = ['index.js', 'apollo/index.js', 'apollo/cache.js'];
    expect([...hooks, ...others].filter(isMarked)).toEqual(hooks);
  });

  it('renders a page with the hooks, in Node and as Vite builds it', async () => {
    expect(await runConsumer(project, 'out/react.js')).toContain('<h1>New</h1>');
    expect(await bundleAll(project, 'react.tsx')).toContain('Check before you repeat it');
  });
});

/** The project with the newest versions, which the tests before have installed. */
const project = join(directory, newest.name);

describe('every client', () => {
  it('reports the same truth and writes a lost create once, with trusted documents alone', async () => {
    const trusting = { trustedDocuments: 'schema/trusted-documents.json' };
    const seen: unknown = JSON.parse(await runConsumer(project, 'clients.mjs', trusting));

    const truth = {
      'no problem': true,
      'a refused value': 'notSent BAD_USER_INPUT input.projectId',
      'a refused id': 'notSent BAD_USER_INPUT id',
      'no token': 'notSent UNAUTHENTICATED',
      'demo-422': 'rejected BAD_USER_INPUT input.projectId',
      'demo-429': 'rejected RATE_LIMITED retryable 7 s',
      'demo-500': 'unknown UPSTREAM_ERROR',
      'demo-drift-missing': 'applied UPSTREAM_CONTRACT',
      'demo-drift-strategy': 'applied UPSTREAM_CONTRACT',
      'a failed read': 'readFailed UPSTREAM_ERROR retryable',
      'a page of a proxy': 'unknown NO_ANSWER',
      'no gateway': 'unknown NO_ANSWER',
      'a lost answer': '2 calls, 1 key, 1 study',
    };
    expect(seen).toEqual({
      'Apollo Client 3': truth,
      'Apollo Client 3, all': truth,
      'Apollo Client 4': truth,
      'Apollo Client 4, all': truth,
      Relay: truth,
      urql: truth,
      'TanStack Query': truth,
      'graphql-request': truth,
      fetch: truth,
    });
  });
});

daily(() => {
  describe('a frontend built by', { timeout: 300_000 }, () => {
    it('Next 16 preloads the list on the server, as in the recipe', async () => {
      const project = createProject(join(directory, 'next'));
      copyRecipes(project, 'next/app');
      cpSync(join(import.meta.dirname, 'builds/next'), project, { recursive: true });
      const integration = '@apollo/client-integration-nextjs';
      const types = ['@types/react', '@types/node', 'typescript'];
      const specs = toSpecs(['@apollo/client', 'graphql', 'react', 'react-dom', 'rxjs', ...types]);
      await install(project, ['next@16', integration, ...specs, packed]);
      const next = join(project, 'node_modules/next/dist/bin/next');

      await run(project, process.execPath, [next, 'build']);
      const page = await runConsumer(project, 'read-page.mjs');

      expect(page).toContain('<li>Why do people leave?</li>');
    });
  });
});

it('the recipe for tests runs as it stands', async () => {
  copyRecipes(project, 'study.vitest.test.mjs');
  symlinkSync(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  const args = ['run', 'study.vitest.test.mjs'];
  expect(await run(project, join(root, 'node_modules/.bin/vitest'), args)).toContain('2 passed');
});

describe('the package', () => {
  it('has 82 kB at most', () => {
    expect(statSync(packed).size).toBeLessThan(82_000);
  });

  it('depends on graphql alone, its hooks on Apollo Client and React', async () => {
    const client = await bundle(project, `export * from 'study-gateway-client';`);
    const errors = await bundle(
      project,
      `export { matchProblem, studyProblem } from 'study-gateway-client';`,
    );
    const react = await bundle(project, `export * from 'study-gateway-client/react';`);
    const apollo = await bundle(project, `export * from 'study-gateway-client/apollo';`);

    expect(client.imports).toEqual(['graphql']);
    expect(client.bytes).toBeLessThan(17_500);
    expect(errors.imports).toEqual([]);
    expect(errors.bytes).toBeLessThan(3_500);
    expect(errors.modules).not.toContain('dist/generated/operations.js');
    expect(react.imports).toEqual(['react']);
    expect(apollo.imports.toSorted()).toEqual(['@apollo/client/react', 'react']);
  });

  it('leaves out of a bundle what is not used', async () => {
    const { modules, code } = await bundle(
      project,
      `export { CreateStudyDocument } from 'study-gateway-client';`,
    );

    expect(modules).toEqual(['dist/generated/operations.js']);
    expect(code).toContain('createStudy');
    expect(code).not.toContain('editStudy');
  });

  daily(() => {
    it('adds two packages at most to a frontend, also beside zod 3 and React 17', async () => {
      const frontend = createProject(join(directory, 'frontend'));
      const own = [...toSpecs(['@urql/core', 'graphql']), 'zod@3', 'react@17', 'react-dom@17'];
      await install(frontend, own, '--package-lock-only');
      const before = readLocked(frontend);
      await install(frontend, [packed], '--package-lock-only');

      const added = readLocked(frontend).filter((path) => !before.includes(path));
      expect(added.length).toBeLessThanOrEqual(2);
      expect(added).toContain('node_modules/study-gateway-client');
    });
  });
});
