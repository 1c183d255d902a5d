import { join } from 'node:path';
import { expect } from 'vitest';
import { startIssuer } from '../support/issuer.js';
import { toPostInit } from '../support/post.js';
import { startProgram } from '../support/process.js';

export interface Place {
  /** Folder of the examples. */
  readonly folder: string;
  /** Working directory, whose `tsconfig.json` has the settings of decorators. */
  readonly cwd: string;
}

/** Starts an example as it stands, with its own emulator. Returns a function that runs an operation. */
async function startExample({ folder, cwd }: Place, file: string, env = {}) {
  const nodeArgs = ['--import', import.meta.resolve('tsx')];
  const { printed } = startProgram({ script: join(folder, file), nodeArgs, cwd, env });
  const [, url = ''] = await printed(/^GraphQL is at (\S+)$/m);
  return async (query: string, token: string) => {
    const init = toPostInit({ query }, { authorization: `Bearer ${token}` });
    return (await (await fetch(url, init)).json()) as {
      data: Record<string, Record<string, unknown> | null> | null;
      errors?: { extensions: Record<string, unknown> }[];
    };
  };
}

/** What `field.ts` promises. */
export async function checkField(place: Place): Promise<void> {
  const run = await startExample(place, 'field.ts');

  const answer = await run(
    `mutation {
      one: createStudy(input: { description: "Why?\\nBecause." }) { title description }
      two: createStudy(input: {}) { title }
    }`,
    'demo-token',
  );

  expect(answer).toEqual({
    data: {
      one: { title: 'Why?', description: 'Why?\nBecause.' },
      two: { title: null },
    },
  });
}

/** What `authorize.ts` promises. */
export async function checkAuthorize(place: Place): Promise<void> {
  const issuer = await startIssuer();
  const { jwtJwksUrl, jwtIssuer = '', jwtAudience = '' } = issuer.options;
  const run = await startExample(place, 'authorize.ts', {
    AUTH_MODE: 'service',
    JWT_JWKS_URL: String(jwtJwksUrl),
    JWT_ISSUER: jwtIssuer,
    JWT_AUDIENCE: jwtAudience,
  });
  const [mine, theirs] = [
    '123e4567-e89b-12d3-a456-426614174000',
    '223e4567-e89b-12d3-a456-426614174000',
  ];
  const ada = await issuer.sign({ projects: [mine] });
  const bob = await issuer.sign({ sub: 'bob', projects: [theirs] });
  const toOutcome = async (field: string, token: string): Promise<unknown> => {
    const { data, errors } = await run(field, token);
    return errors ? errors.map(({ extensions: { code, outcome } }) => [code, outcome]) : data;
  };
  const input = `input: { projectId: "${mine}" }`;
  const created = await run(`mutation { createStudy(${input}) { id } }`, ada);
  const id = String(created.data?.['createStudy']?.['id']);
  const edit = `mutation { editStudy(id: "${id}", input: { language: "fr" }) { language } }`;
  const give = `mutation { editStudy(id: "${id}", input: { projectId: "${theirs}" }) { id } }`;
  const list = `{ studies(projectId: ["${mine}"]) { items { id } } }`;
  const find = `{ study(id: "${id}") { id } }`;

  const ofAda = { edit, find, list };
  for (const [name, query] of Object.entries(ofAda))
    expect({ name, ...(await run(query, ada)) }).not.toHaveProperty('errors');
  const unsent = [['FORBIDDEN', 'NOT_SENT']];
  expect(await toOutcome(give, ada)).toEqual(unsent);
  expect(await toOutcome('{ studies { total } }', ada)).toEqual(unsent);
  expect(await toOutcome(`mutation { createStudy(${input}) { id } }`, bob)).toEqual(unsent);
  expect(await toOutcome(edit, bob)).toEqual(unsent);
  expect(await toOutcome(list, bob)).toEqual(unsent);
  expect(await toOutcome(find, bob)).toEqual([['FORBIDDEN', undefined]]);
}
