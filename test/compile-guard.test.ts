import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileGuard } from '../src/study/compile-guard.js';

const person = z.object({ name: z.string(), 'age in years': z.int32().nullish() });

const schemas: Record<string, z.ZodType> = {
  string: z.string(),
  guid: z.guid(),
  boolean: z.boolean(),
  int32: z.int32(),
  'nullable guid': z.guid().nullable(),
  'optional boolean': z.boolean().optional(),
  'nullish string': z.string().nullish(),
  enum: z.enum(['one', 'constructor']),
  'numeric enum': z.enum({ One: 1, Two: 2 }),
  custom: z.custom((value) => value === 'one'),
  'custom, of anything that is not nothing': z.custom((value) => value),
  array: z.array(z.string()),
  'arrays in an array': z.array(z.array(z.int32().nullable())),
  object: person,
  'an object in an object': z.object({ person, others: z.array(person).optional() }),
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

test.each(Object.entries(unknown))('there is no guard for %s', (_, schema) => {
  expect(() => compileGuard(schema)).toThrow(/^No guard is written out for this /);
});

describe('a guard accepts what its schema accepts', () => {
  test.each(Object.entries(schemas))('%s', (_, schema) => {
    const guard = compileGuard(schema);
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(values, (value) => {
        const { success } = schema.safeParse(value);
        verdicts.add(success);
        expect(guard(value)).toBe(success);
      }),
      { numRuns: 3_000 },
    );
    // Otherwise a guard that says the same to everything would have passed.
    expect(verdicts.size).toBe(2);
  });
});
