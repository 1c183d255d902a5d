import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { run } from '../support/run.js';
import { wholeStudy } from '../support/studies.js';

const require = createRequire(import.meta.url);
/** The path of the compiler for this machine. */
const compiler: string = require('relay-compiler');

const relayConfig = {
  src: 'src',
  schema: 'schema.graphql',
  language: 'typescript',
  artifactDirectory: 'artifacts',
  customScalarTypes: { UUID: 'string', DateTime: 'string', JSONObject: 'object' },
};

const page = `
graphql\`query pageQuery($id: UUID!) @throwOnFieldError { study(id: $id) { description summaries } }\`;
graphql\`mutation pageCreateMutation { createStudy(input: {}) { description } }\`;
graphql\`mutation pageEditMutation($id: UUID!) { editStudy(id: $id, input: {}) { description } }\`;
`;

/** Compiles the operations of a page against the schema that the gateway serves; returns each artifact by its name. */
async function compile(url: string): Promise<(name: string) => string> {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-relay-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const folder of ['src', 'artifacts']) mkdirSync(join(directory, folder));
  const response = await fetch(`${url}/schema.graphql`);
  writeFileSync(join(directory, 'schema.graphql'), await response.text());
  writeFileSync(join(directory, 'relay.config.json'), JSON.stringify(relayConfig));
  writeFileSync(join(directory, 'src/page.ts'), page);
  await run(directory, compiler, []);
  return (name) => readFileSync(join(directory, `artifacts/${name}.graphql.ts`), 'utf8');
}

/** The document that Relay sends for a compiled operation. */
function toDocument(artifact: string): string {
  const [, text = '""'] = /^ *"text": (".*")$/m.exec(artifact) ?? [];
  return JSON.parse(text);
}

it('asks for the id of every study by itself, and reads @semanticNonNull where errors are thrown', async () => {
  const { url, graphql } = await startTestGateway();
  const { id, description, summaries } = wholeStudy;

  const read = await compile(url);

  const answers = [];
  for (const name of ['pageQuery', 'pageCreateMutation', 'pageEditMutation'])
    answers.push(await graphql(toDocument(read(name)), { id }));
  expect(answers).toEqual([
    { data: { study: { description, summaries, id } } },
    { data: { createStudy: { description, id } } },
    { data: { editStudy: { description, id } } },
  ]);
  expect(read('pageQuery')).toContain('readonly summaries: ReadonlyArray<string>;');
  expect(read('pageQuery')).toContain('readonly description: string | null | undefined;');
});
