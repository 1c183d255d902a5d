import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import type { CreateStudyInput, StudyFieldsFragment, StudyStrategy } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { run } from '../support/run.js';

vi.setConfig({ testTimeout: 60_000 });

/** A page of a frontend with an operation of its own. */
const page = `import { graphql } from './gql/index.js';
export const study = graphql(\`query OwnStudy($id: UUID!) { study(id: $id) { id summaries strategy } }\`);
export const edit = graphql(\`mutation OwnEdit($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { id } }\`);
`;

const config = readFileSync('examples/recipes/codegen.ts', 'utf8');
const fileOfPackage = 'node_modules/study-gateway-client/schema/codegen.graphql';

/** The types that codegen makes in a frontend, with the config of examples/recipes. */
async function generate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-codegen-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'src'));
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'src/page.ts'), page);
  const schema = resolve('schema/codegen.graphql');
  writeFileSync(join(directory, 'codegen.ts'), config.replace(fileOfPackage, schema));
  await run(directory, process.execPath, [
    resolve('node_modules/@graphql-codegen/cli/esm/bin.js'),
    '--config',
    'codegen.ts',
  ]);
  return readFileSync(join(directory, 'src/gql/graphql.ts'), 'utf8');
}

it('makes nullable types, and the type of strategy, with the recipe', async () => {
  expect(config).toContain(fileOfPackage);
  const types = await generate();

  expect(types).toContain('summaries: Array<string> | null');
  expect(types).toMatch(/editStudy: \{ id: string \} \| null/);
  expect(types).toMatch(/^import type \{ StudyStrategy \} from 'study-gateway-client'/m);
  expect(types).toMatch(/strategy: StudyStrategy \| null/);
  expect(types).toMatch(/strategy\?: StudyStrategy \| null/);
});

it('differs from the schema of the gateway in the type of strategy alone', async () => {
  const { url } = await startTestGateway();
  const served = await (await fetch(`${url}/schema.graphql`)).text();

  const ours = readFileSync('schema/codegen.graphql', 'utf8');

  const inBoth = ours.replaceAll('strategy: StudyStrategy', 'strategy: String');
  expect(inBoth.replace(/\n*scalar StudyStrategy\n*/, '\n\n')).toBe(served);
});

// The compiler checks these: they do nothing at run time.
it('takes any text for a strategy, and completes the documented values', () => {
  expectTypeOf<string>().toExtend<StudyStrategy>();
  // A plain `string` would swallow the documented values, so that editors could not complete them.
  expectTypeOf<StudyStrategy>().not.toEqualTypeOf<string>();
  expectTypeOf<StudyFieldsFragment['strategy']>().toEqualTypeOf<StudyStrategy | null>();
  expectTypeOf<CreateStudyInput['strategy']>().toEqualTypeOf<StudyStrategy | null | undefined>();
});
