import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createOpenApi } from '../../packages/emulator/src/openapi.js';
import { problemSchema } from '../../packages/emulator/src/answers.js';
import { scenarios } from 'study-gateway-emulator';
import { studyPageSchema, studySchema } from '../../packages/emulator/src/study.schema.js';
import { bearer, startTestEmulator } from '../support/emulator.js';

it('is the committed file', () => {
  const committed = readFileSync('schema/study-api.openapi.json', 'utf8');

  expect(committed).toBe(`${JSON.stringify(createOpenApi(), null, 2)}\n`);
});

it('passes redocly lint', async () => {
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'lint', '--format=json', 'schema/study-api.openapi.json'],
    { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );

  expect(JSON.parse(stdout)).toMatchObject({
    totals: { errors: 0, warnings: 0, ignored: 0 },
    problems: [],
  });
});

it('is served without a token', async () => {
  const { url } = await startTestEmulator();

  const response = await fetch(`${url}/openapi.json`);

  expect([response.status, await response.json()]).toEqual([200, createOpenApi()]);
});

it('refers to nothing that it does not define', () => {
  const openApi = createOpenApi();
  const references = JSON.stringify(openApi).matchAll(/"#\/components\/schemas\/([^"]+)"/g);

  for (const [, name = ''] of references) expect(openApi.components.schemas).toHaveProperty(name);
});

it('describes every operation’s actual answers', async () => {
  const { call, create } = await startTestEmulator();
  const { id } = await create();

  const answers = await Promise.all([
    call('POST', '/studies', { progress: {}, audiences: ['a'], solutionId: id }),
    call('PATCH', `/studies/${id}`, { description: null }),
    call('GET', `/studies/${id}`),
  ]);
  const refused = await call('POST', '/studies', { status: 1, name: {} });

  const list = await call('GET', '/studies?size=2');

  for (const { body } of answers) expect(studySchema.parse(body)).toEqual(body);
  expect(studyPageSchema.parse(list.body)).toEqual(list.body);
  expect(refused.body).toEqual({ detail: [expect.anything(), expect.anything()] });
  expect(problemSchema.array().safeParse(Object(refused.body).detail).error).toBeUndefined();
});

it('names the status of every scenario, at every operation', async () => {
  const { paths } = createOpenApi();
  const { call, create } = await startTestEmulator();
  const { id } = await create();
  const operations = [
    [paths['/studies'].post, 'POST', '/studies'],
    [paths['/studies'].get, 'GET', '/studies'],
    [paths['/studies/{study_id}'].get, 'GET', `/studies/${id}`],
    [paths['/studies/{study_id}'].patch, 'PATCH', `/studies/${id}`],
  ] as const;
  const answering = scenarios.filter(({ token }) => !/hang|cut/.test(token));

  for (const [{ responses }, method, path] of operations)
    for (const { token } of answering) {
      const body = method === 'GET' ? undefined : {};
      const { status } = await call(method, path, body, bearer(token));
      expect(Object.keys(responses)).toContain(String(status));
    }
});
