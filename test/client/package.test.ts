import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';
import { bundle, createProject, installPackage, run } from '../support/package.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const project = createProject();

beforeAll(async () => {
  await installPackage(project);
  await run(project.directory, join(project.directory, 'node_modules/.bin/tsc'), []);
});

afterAll(() => project.remove());

/** Runs a consumer, as it was compiled, against a gateway in front of an emulator. */
async function runConsumer(name: string): Promise<string> {
  const emulator = await startTestEmulator();
  const { url } = await startTestGateway({ studyApiUrl: emulator.url });
  return run(project.directory, process.execPath, [`out/${name}.js`, `${url}/graphql`]);
}

it.for(['apollo-client', 'urql', 'graphql-request'])(
  'creates, edits, reads and fails with %s in a project of its own',
  async (name) => {
    const seen: unknown = JSON.parse(await runConsumer(name));

    expect(seen).toEqual({
      created: 'New',
      edited: 'Edited',
      read: 'Edited',
      problem: {
        kind: 'unknown',
        outcome: 'UNKNOWN',
        code: 'UPSTREAM_UNAVAILABLE',
        message: expect.any(String),
        retryable: false,
        fieldErrors: [],
        requestId: expect.any(String),
      },
    });
  },
);

it('renders a page with the hooks in a project of its own', async () => {
  expect(await runConsumer('react')).toContain('<h1>New</h1>');
});

it('has no dependency in its client entry, and only Apollo Client in its hooks', async () => {
  const client = await bundle(project, `export * from 'study-gateway/client';`);
  const react = await bundle(project, `export * from 'study-gateway/react';`);

  expect(client.imports).toEqual([]);
  expect(client.modules.filter((id) => !id.startsWith('dist/client/'))).toEqual([]);
  expect(react.imports).toEqual(['@apollo/client/react']);
  expect(react.modules.toSorted()).toEqual([
    'dist/client/generated/operations.js',
    'dist/client/react/hooks.js',
  ]);
});

it('leaves out of a bundle what is not used', async () => {
  const { modules, code } = await bundle(
    project,
    `export { CreateStudyDocument } from 'study-gateway/client';`,
  );

  expect(modules).toEqual(['dist/client/generated/operations.js']);
  expect(code).toContain('createStudy');
  expect(code).not.toContain('editStudy');
});
