import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { ScratchCopy } from '../support/scratch-copy.js';
import { noun } from './noun.fixture.js';

/**
 * A file, an existing line of it, and the text to insert below this line; a file and how its text changes; or a new file and
 * its text.
 */
type Edit =
  | readonly [file: string, line: RegExp, text: string]
  | readonly [file: string, change: (text: string) => string]
  | readonly [file: string, text: string];

/** What a contributor changes who follows a recipe of CONTRIBUTING.md. */
export type Recipe = readonly Edit[];

export function carryOut(recipe: Recipe, { root, edit }: ScratchCopy): void {
  for (const [file, ...change] of recipe) {
    if (change.length === 1) {
      const [text] = change;
      mkdirSync(dirname(join(root, file)), { recursive: true });
      if (typeof text === 'string') writeFileSync(join(root, file), text);
      else edit(file, text);
    } else
      edit(file, (before) => {
        expect(before).toMatch(change[0]);
        return before.replace(change[0], (match) => `${match}\n${change[1]}`);
      });
  }
}

/** A field that only answers have. */
const field: Recipe = [
  [
    'src/study/wire.ts',
    /^ {2}summaries: strings,$/m,
    "  reviewer: z.string('a string or null').nullish(),",
  ],
  [
    'src/study/type.ts',
    /^ {2}summaries\?: .*$/m,
    `
  @Field(() => String, { nullable: true, description: 'Who reviews the study.' })
  reviewer?: string | null;`,
  ],
  ['packages/contract/src/study-fields.ts', /^ {2}'summaries',$/m, "  'reviewer',"],
  ['packages/client/src/study.graphql', /^ {2}summaries$/m, '  reviewer'],
  ['packages/client/src/testing.ts', /^ {4}summaries: .*$/m, '    reviewer: null,'],
  ['test/support/studies.ts', /^ {2}summaries: .*$/m, "  reviewer: optional(text, 'Ada'),"],
];

/** `archiveStudy`: a write without a body, whose answer is a 204. */
const operation: Recipe = [
  [
    'src/study/api.ts',
    /^export class StudyApi \{[^]*?^ {2}\) \{\}$/m,
    `
  /** Archives a study: \`POST /studies/{study_id}/archive\`, answered by 204. */
  async archive(step: Step, id: string, key?: string | null): Promise<true> {
    const { path, template } = this.contract.endpoints.archiveStudy(id);
    const call = { method: 'POST', path, template, noun: 'study', key: key?.toLowerCase() };
    await step.write(call);
    return true;
  }`,
  ],
  [
    'src/study/contract.ts',
    /^ *editStudy: createEndpoint\(.*$/m,
    "      archiveStudy: createEndpoint('archiveStudy', operations.archiveStudy),",
  ],
  [
    'src/study/resolver.ts',
    /^export class StudyResolver \{$/m,
    `  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Archives a study: one \`POST /studies/{id}/archive\`. \`true\` if it was archived.',
  })
  archiveStudy(
    @Ctx() context: ResolverContext,
    @Arg('id', () => UuidScalar, { description: 'Id of the study.' }) id: string,
    @Arg('idempotencyKey', () => UuidScalar, nullable(idempotencyKeyDescription))
    idempotencyKey?: string | null,
  ): Promise<boolean> {
    const { step, studies } = context;
    return authorizeCall(context, 'archiveStudy', { id, idempotencyKey }, () =>
      studies.archive(step, id, idempotencyKey),
    );
  }
`,
  ],
  [
    'packages/contract/src/contract.ts',
    /^ {2}editStudy: one.*$/m,
    `  archiveStudy: operation(
    z.strictObject({ path: pathOfOne.default('/studies/{study_id}/archive') }),
  ).prefault({}),`,
  ],
  [
    'packages/emulator/src/routes.ts',
    /^export function addStudyRoutes\([^]*?^ {2}\}\);$/m,
    `
  app.post(\`\${studyPath}/archive\`, async (request, reply) => {
    const owner = requireOwner(request, owners);
    const { path } = parseRequest(readRequest, { path: request.params });
    const edit = { status: 'archived' };
    const record = store.update(owner, path.study_id, (stored) => toEditedRecord(stored, edit));
    if (!record) throw new ApiError(404, 'Study not found');
    return reply.code(204).send();
  });`,
  ],
  [
    'packages/client/src/study.graphql',
    /^query Study\([^]*?^\}$/m,
    `
mutation ArchiveStudy($id: UUID!, $idempotencyKey: UUID) {
  archiveStudy(id: $id, idempotencyKey: $idempotencyKey)
}`,
  ],
  [
    'docs/study-api.md',
    /^\| `PATCH \/studies\/\{study_id\}`.*$/m,
    '| `POST /studies/{study_id}/archive` archives a study and answers with 204. | assumed | `/operations/archiveStudy` |',
  ],
  [
    'test/write/archive-study.test.ts',
    `import { startEmulator } from 'study-gateway-emulator';
import { expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;
const archive = \`mutation ($key: UUID) { archiveStudy(id: "\${id}", idempotencyKey: $key) }\`;
const key = '7d3c1f7e-8a53-4e0b-9a52-3d1f6c0a2b11';
const noContent: Respond = (response) => void response.writeHead(204).end();
const reset: Respond = (response) => void response.socket?.resetAndDestroy();

async function tell({ graphql }: TestGateway): Promise<unknown> {
  const { data, errors } = await graphql(archive, { key });
  return errors ? [data, errors[0]?.extensions['outcome']] : data;
}

it.each([
  ['a 204', noContent, { archiveStudy: true }],
  ['a cut connection', reset, [{ archiveStudy: null }, 'UNKNOWN']],
])('archiveStudy tells what became of it after %s, also to a repeat, and writes once', async (_, api, told) => {
  const gateway = await startTestGateway({ api });

  expect([await tell(gateway), await tell(gateway)]).toEqual([told, told]);
  expect(gateway.calls).toEqual([
    expect.objectContaining({ method: 'POST', url: \`/studies/\${id}/archive\`, body: '' }),
  ]);
});

it('archiveStudy sends nothing if authorize refuses', async () => {
  const authorize = (_: unknown, action: object) => !JSON.stringify(action).includes(id);
  const gateway = await startTestGateway({ api: noContent, additions: { authorize } });

  expect(await tell(gateway)).toEqual([{ archiveStudy: null }, 'NOT_SENT']);
  expect(gateway.calls).toEqual([]);
});

it('archiveStudy archives a study of the emulator', async () => {
  const emulator = await startEmulator({ port: 0, database: ':memory:', host: '127.0.0.1' });
  const { graphql } = await startTestGateway({ studyApiUrl: emulator.url });
  const headers = { authorization: \`Bearer \${emulator.token}\` };
  const run = async (query: string) => (await graphql(query, {}, headers)).data;

  const made = await run('mutation { createStudy(input: {}) { id } }');
  const { id } = made?.['createStudy'] as { id: string };
  expect(await run(\`mutation { archiveStudy(id: "\${id}") }\`)).toEqual({ archiveStudy: true });
  expect(await run(\`{ study(id: "\${id}") { status } }\`)).toEqual({ study: { status: 'archived' } });
  await emulator.close();
});
`,
  ],
];

/** `SERVED_BY`: text of a header of every response. */
const variable: Recipe = [
  [
    'src/config/variables.ts',
    /^ {4}host: variable\(.*$/m,
    "    servedBy: variable('SERVED_BY', z.string().optional()),",
  ],
  [
    'docs/configuration.md',
    /^\| `HOST` .*$/m,
    '| `SERVED_BY` | – | Value of the header `x-served-by` of each response. |',
  ],
];

const feature: Recipe = [
  [
    'src/features/served-by.ts',
    `import type { AppPart } from '../http/app.js';

/** Names the process in each response. Returns \`undefined\` without a name. */
export function addServedBy(name: string | undefined): AppPart | undefined {
  if (name === undefined) return undefined;
  return (app) =>
    void app.addHook('onRequest', async (_, reply) => void reply.header('x-served-by', name));
}
`,
  ],
  [
    'src/gateway.ts',
    /^import { createRateLimits.*$/m,
    "import { addServedBy } from './features/served-by.js';",
  ],
  ['src/gateway.ts', /^ *callers\.addCallers,$/m, '      addServedBy(http.servedBy),'],
  [
    'test/features/served-by.test.ts',
    `import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';

it.each(['blue', undefined])('a response names the process %s', async (servedBy) => {
  const { post } = await startTestGateway({ servedBy });

  const { headers } = await post({ query: '{ __typename }' });

  expect(headers.get('x-served-by')).toBe(servedBy ?? null);
});
`,
  ],
];

/** \`locked\`: the study is locked, 423. */
const failure: Recipe = [
  [
    'packages/rest-outcome/src/failures.ts',
    /^ {2}conflict: .*$/m,
    "  locked: { ...REJECTED, code: 'CONFLICT' },",
  ],
  ['packages/rest-outcome/src/failures.ts', /^ {2}422: .*$/m, "  423: 'locked',"],
  ['src/errors/failure-messages.ts', /^ {2}conflict: .*$/m, "  locked: 'The study is locked.',"],
  ['test/support/failures.ts', /^ {2}conflict: answer.*$/m, '  locked: answer(423),'],
  ['docs/errors.md', /^\| 409, 412 .*$/m, '| 423 | `CONFLICT` | `REJECTED` | no |'],
];

export const recipes = { field, operation, variable, feature, failure, noun };
