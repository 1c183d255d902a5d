import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileGuard } from '../src/study/compile-guard.js';

const person = z.object({ name: z.string(), 'age in years': z.int32().nullish() });

/** Each with a value that it accepts. None of them accepts `NaN`. */
const schemas: Record<string, [schema: z.ZodType, accepted: unknown]> = {
  string: [z.string(), 'one'],
  guid: [z.guid(), '123e4567-e89b-12d3-a456-426614174000'],
  boolean: [z.boolean(), true],
  int32: [z.int32(), 1],
  'nullable guid': [z.guid().nullable(), null],
  'optional boolean': [z.boolean().optional(), undefined],
  'nullish string': [z.string().nullish(), null],
  enum: [z.enum(['one', 'constructor']), 'constructor'],
  'numeric enum': [z.enum({ One: 1, Two: 2 }), 1],
  custom: [z.custom((value) => value === 'one'), 'one'],
  'custom, of anything that is not nothing': [z.custom((value) => value), {}],
  array: [z.array(z.string()), ['one', '']],
  'arrays in an array': [z.array(z.array(z.int32().nullable())), [[1, null], []]],
  object: [person, { name: 'one', 'age in years': 1 }],
  'an object in an object': [
    z.object({ person, others: z.array(person).optional() }),
    { person: { name: 'one', 'age in years': null }, others: [{ name: 'two' }] },
  ],
};

const unknown: Record<string, z.ZodType> = {
  'a string of some length': z.string().min(1),
  'a string that is trimmed': z.string().trim(),
  email: z.email(),
  number: z.number(),
  'a safe integer': z.int(),
  'int32 above 0': z.int32().positive(),
  'an array of some length': z.array(z.string()).max(3),
  'a strict object': z.strictObject({ name: z.string() }),
  'a loose object': z.looseObject({ name: z.string() }),
  'an object that is checked': person.refine(() => true),
  'a default in an object': z.object({ name: z.string().default('one') }),
  union: z.union([z.string(), z.int32()]),
  transform: z.string().transform((text) => text.length),
  anything: z.unknown(),
};

const edges = fc.constantFrom<unknown>(
  undefined,
  null,
  true,
  '',
  'one',
  'constructor',
  'a@example.com',
  '123e4567-e89b-12d3-a456-426614174000',
  ' 123e4567-e89b-12d3-a456-426614174000',
  '123E4567-E89B-12D3-A456-42661417400g',
  0,
  -0,
  1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 53,
  [],
  { name: 'one' },
  {},
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, edges, tie('array'), tie('object'), fc.jsonValue()),
  array: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.record(
    {
      name: tie('value'),
      'age in years': tie('value'),
      person: tie('value'),
      others: tie('value'),
      counts: tie('value'),
      one: tie('value'),
    },
    { requiredKeys: [] },
  ),
}));

/** Any value in place of this one, or of one that it holds at any depth. */
function variants(of: unknown): fc.Arbitrary<unknown> {
  const held = typeof of === 'object' && of !== null ? Object.entries(of) : [];
  return fc.oneof(
    values,
    ...held.map(([key, value]) =>
      variants(value).map((variant) =>
        Array.isArray(of)
          ? of.with(Number(key), variant)
          : Object.fromEntries([...held, [key, variant]]),
      ),
    ),
  );
}

test.each(Object.entries(unknown))('there is no guard for %s', (_, schema) => {
  expect(() => compileGuard(schema)).toThrow(/^No guard is written out for this /);
});

describe('a guard accepts what its schema accepts', () => {
  test.each(Object.entries(schemas))('%s', (_, [schema, accepted]) => {
    const guard = compileGuard(schema);

    expect(guard(accepted)).toBe(true);
    expect(guard(Number.NaN)).toBe(false);
    fc.assert(
      fc.property(variants(accepted), (value) => {
        expect(guard(value)).toBe(schema.safeParse(value).success);
      }),
      { numRuns: 3_000 },
    );
  });
});
