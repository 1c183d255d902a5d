import { expect, it } from 'vitest';
import { readContract, translate, type ContractFile } from '../../packages/contract/src/index.js';
import { writeTemporary } from './contract.fixture.js';

// What each of judges/apis needs is tested there.
function compile(contract: ContractFile) {
  return translate(readContract(writeTemporary(contract)));
}

const at = '/data/attributes';
it.each<[string, ContractFile['request'], object, object]>([
  [
    'with constants that replace no value',
    { at, constants: { [`${at}/language`]: 'en', [`${at}/as`]: 'new' } },
    { language: 'de' },
    { data: { attributes: { language: 'de', as: 'new' } } },
  ],
  [
    'with what stands within the value of another field',
    {
      names: { description: '/progress/of', status: '/progress/at' },
      constants: { '/progress/as': 'new' },
    },
    { description: 'd', progress: { total: 1 }, status: 's' },
    { progress: { total: 1, of: 'd', at: 's', as: 'new' } },
  ],
])('writes a body %s', (_, request, input, body) => {
  const text = JSON.stringify(compile({ request }).toBody({ ...input }));

  expect(JSON.parse(text)).toEqual(body);
});

it('takes a field that has a name, though the command has written "absent"', () => {
  const { refuse } = compile({
    request: { names: { projectId: '/owner/id' }, absent: { createStudy: ['files', 'projectId'] } },
  });

  expect(refuse.createStudy({ projectId: 'p', files: [] }).map(({ name }) => name)).toEqual([
    'files',
  ]);
});

it.each<[ContractFile['verdicts'], string]>([
  [{ applied: [200], rejected: [409, 500] }, 'AUU UUU RR'],
  [{ applied: [201] }, 'UA- --- --'],
  [{ rejected: [500] }, 'AAU UUU UR'],
])(
  'takes the listed statuses for verdicts, and the usual ones without a list: %j',
  (verdicts, words) => {
    const { toVerdict } = compile({ verdicts });
    const told = [200, 201, 302, 400, 408, 499, 409, 500].map((status) => toVerdict?.(status));

    expect(told.map((verdict) => verdict?.[0] ?? '-').join('')).toBe(words.replaceAll(' ', ''));
  },
);
