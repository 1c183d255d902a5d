import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import {
  assumed,
  toContractSchema,
  toOpenApi,
  type ContractFile,
} from '../../packages/contract/src/index.js';
import { run, save, writeTemporary } from './contract.fixture.js';

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
}

interface Schema {
  readonly required?: readonly string[];
  readonly properties: object;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

it('is the committed JSON Schema of a contract, and OpenAPI document of what is assumed', () => {
  expect(read('packages/contract/contract.schema.json')).toBe(
    `${JSON.stringify(toContractSchema(), null, 2)}\n`,
  );
  expect(read('schema/study-api.openapi.json')).toBe(
    `${JSON.stringify(toOpenApi(assumed), null, 2)}\n`,
  );
});

it('demands in an answer what a source demands, and nothing in a request', async () => {
  const { exit, printed, noted } = await run('--openapi');
  const { components, paths } = JSON.parse(printed) as {
    components: { schemas: Record<string, Schema> };
    paths: Record<string, Record<string, { requestBody?: Body }>>;
  };
  const toBody = (path: string, method: string): Schema | undefined => {
    const body = paths[path]?.[method]?.requestBody?.content['application/json'].schema;
    return components.schemas[body?.$ref.replace('#/components/schemas/', '') ?? ''];
  };
  const create = toBody('/studies', 'post');
  const edit = toBody('/studies/{study_id}', 'patch');

  expect([exit, noted]).toEqual([0, '']);
  expect(Object.keys(paths)).toEqual(['/studies', '/studies/{study_id}']);
  expect(Object.values(paths).flatMap((item) => Object.keys(item))).toEqual(
    ['get', 'post'].concat(['parameters', 'get', 'patch']),
  );
  expect(components.schemas['Study']).toMatchObject({
    required: [
      'id',
      'projectId',
      'audiences',
      'audiencesObj',
      'problems',
      'problemsObj',
      'files',
    ].concat(['planId', 'interviews', 'summaries']),
    properties: {
      strategy: { type: ['string', 'null'] },
      planId: { type: ['string', 'null'] },
      files: { type: 'array', items: { type: 'string' } },
    },
  });
  expect([create?.required, edit?.required]).toEqual([undefined, undefined]);
  expect(Object.keys(create?.properties ?? {})).toHaveLength(16);
  expect(Object.keys(edit?.properties ?? {})).toHaveLength(13);
  expect(printed).not.toMatch(/"enum"|9007199254740991/);
});

const contracts: [name: string, contract: ContractFile][] = [
  ['nothing that differs', {}],
  [
    'names and places',
    {
      request: {
        naming: 'snake_case',
        required: { createStudy: ['projectId'] },
        absent: { editStudy: ['createdAt'] },
      },
      answer: { at: '/data/study', naming: 'PascalCase', absent: ['createdAt', 'planId'] },
    },
  ],
  [
    'operations',
    {
      operations: {
        study: false,
        studies: {
          items: '/content',
          numbers: { page: '/meta/number', pages: '/totalPages' },
          parameters: { size: 'limit' },
          absent: ['projectId'],
          firstPage: 0,
        },
        editStudy: { path: '/studies/{id}/details' },
      },
      keys: { header: 'X-Idempotency-Key' },
    },
  ],
  ['operations that are not there', { operations: { studies: false, editStudy: false } }],
];

it.each(contracts)('prints a document that shows the contract again: %s', async (_, contract) => {
  const { exit, printed } = await run('--openapi', '--contract', writeTemporary(contract));

  const read = await save(writeTemporary(printed, 'openapi.json'));

  expect([exit, read.exit, read.contract]).toEqual([0, 0, contract]);
});

it('says what is wrong with the contract to print', async () => {
  const file = writeTemporary({ answer: { at: 'data' } });

  expect(await run('--openapi', '--contract', file)).toEqual({
    exit: 2,
    printed: '',
    noted: `${file} /answer/at must be a JSON Pointer such as "/data", not "data".\n`,
  });
});

const whole: ContractFile = {
  answer: { at: '/data', absent: ['planId'] },
  verdicts: { applied: [201], rejected: [409, 422], success: { '/ok': true } },
};

it.each([...contracts, ['a flag and statuses', whole] as const])(
  'passes redocly lint: %s',
  async (_, contract) => {
    const { printed } = await run('--openapi', '--contract', writeTemporary(contract));
    const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'lint', '--format=json', writeTemporary(printed, 'openapi.json')],
      { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    );

    expect(JSON.parse(stdout)).toMatchObject({ problems: [] });
  },
);
