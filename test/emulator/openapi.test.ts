import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { studyPageSchema, studySchema } from '../../packages/emulator/src/schema.js';
import { startTestEmulator } from '../support/emulator.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
}

interface Operation {
  readonly responses: {
    readonly 200: {
      readonly content: { readonly 'application/json': { readonly schema: object } };
    };
  };
}

/** Returns the schema of the answer to an operation in the served document. */
async function fetchSchema(url: string, path: string, method: string): Promise<z.ZodType> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const answer = document.paths[path]![method]!.responses[200].content['application/json'];
  const whole = { ...answer.schema, $defs: document.components.schemas };
  // zod finds definitions where JSON Schema has them.
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text));
}

const file = 'schema/study-api.openapi.json';

it('serves the committed document, without a token', async () => {
  const { url } = await startTestEmulator();

  const response = await fetch(`${url}/openapi.json`);

  const committed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect([response.status, await response.json()]).toEqual([200, committed]);
});

it('demands in an answer what the document demands, and nothing in a request', () => {
  const text = readFileSync(file, 'utf8');
  const { Study, CreateStudy, EditStudy } = JSON.parse(text).components.schemas;

  expect(Study.required.toSorted()).toEqual(
    ['id', 'projectId', 'audiences', 'audiencesObj', 'problems', 'problemsObj', 'files']
      .concat(['planId', 'interviews', 'summaries'])
      .toSorted(),
  );
  expect([CreateStudy.required, EditStudy.required]).toEqual([undefined, undefined]);
  expect(Object.keys(CreateStudy.properties)).toHaveLength(16);
  expect(Object.keys(EditStudy.properties)).toHaveLength(13);
  expect(text).not.toMatch(/"enum"|2147483647|9007199254740991/);
});

it('answers every operation as its schemas and the served document say', async () => {
  const { url, call, create } = await startTestEmulator();
  const { id } = await create();
  const one = '/studies/{study_id}';

  const answers = [
    ['/studies', 'post', { progress: {}, audiences: ['a'], solutionId: id }],
    [one, 'patch', { description: null }],
    [one, 'get', undefined],
    ['/studies', 'get', undefined],
  ] as const;
  for (const [path, method, body] of answers) {
    const said = await call(method.toUpperCase(), path.replace('{study_id}', id), body);
    const own = method === 'get' && path === '/studies' ? studyPageSchema : studySchema;
    const assumed = await fetchSchema(url, path, method);
    expect([said.status, own.parse(said.body)]).toEqual([200, said.body]);
    expect(assumed.safeParse(said.body).error).toBe(undefined);
    expect(assumed.safeParse({}).success).toBe(false);
  }
});
