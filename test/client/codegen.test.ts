import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { run } from '../support/run.js';

vi.setConfig({ testTimeout: 60_000 });

/** A page of a frontend with an operation of its own. */
const page = `import { graphql } from './gql/index.js';
export const study = graphql(\`query OwnStudy($id: UUID!) { study(id: $id) { id summaries description } }\`);
export const edit = graphql(\`mutation OwnEdit($id: UUID!) { editStudy(id: $id, input: {}) { id } }\`);
`;

const config = readFileSync('examples/recipes/codegen.ts', 'utf8');
const fileOfPackage = 'node_modules/study-gateway-client/schema/schema.graphql';

/** The types that codegen makes in a frontend, with the config of examples/recipes and this `schema`. */
async function generate(schema: string) {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-codegen-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'src'));
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'src/page.ts'), page);
  writeFileSync(join(directory, 'codegen.ts'), config.replace(fileOfPackage, schema));
  await run(directory, process.execPath, [
    resolve('node_modules/@graphql-codegen/cli/esm/bin.js'),
    '--config',
    'codegen.ts',
  ]);
  const read = (folder: string) =>
    readFileSync(join(directory, 'src', folder, 'graphql.ts'), 'utf8');
  return { nullable: read('gql'), strict: read('gql-strict') };
}

it('makes the same types of the file in the package and of /schema.graphql', async () => {
  const { url } = await startTestGateway();

  expect(config).toContain(fileOfPackage);
  const fromFile = await generate(resolve('schema/schema.graphql'));
  const fromGateway = await generate(`${url}/schema.graphql`);

  expect(fromGateway).toEqual(fromFile);
  expect(fromFile.nullable).toContain('summaries: Array<string> | null');
  expect(fromFile.nullable).toMatch(/editStudy: \{ id: string \} \| null/);
  expect(fromFile.strict).toContain(
    'summaries: Array<string>, description: string | null } | null',
  );
  expect(fromFile.strict).toMatch(/editStudy: \{ id: string \} \}/);
});

it('knows of introspection nullable types only', async () => {
  const { url } = await startTestGateway();

  const { nullable, strict } = await generate(`${url}/graphql`);

  expect(strict).toBe(nullable);
});
