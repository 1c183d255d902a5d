import { expect, it } from 'vitest';
import { z } from 'zod';
import { assumed, toOpenApi } from 'study-gateway-contract';
import { problemSchema } from '../../packages/emulator/src/answers.js';
import { studyPageSchema, studySchema } from '../../packages/emulator/src/study.schema.js';
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

it('serves what the gateway assumes, without a token', async () => {
  const { url } = await startTestEmulator();

  const response = await fetch(`${url}/openapi.json`);

  expect([response.status, await response.json()]).toEqual([200, toOpenApi(assumed)]);
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
  const { body: refused } = await call('POST', '/studies', { status: 1, name: {} });
  expect(refused).toEqual({ detail: [expect.anything(), expect.anything()] });
  expect(problemSchema.array().safeParse(Object(refused).detail).error).toBe(undefined);
});
