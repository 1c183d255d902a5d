import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileGuard } from '../src/study/compile-guard.js';

const person = z.object({ name: z.string(), 'age in years': z.int32().nullish() });

const schemas: Record<string, z.ZodType> = {
  string: z.string(),
  'a string that is not empty': z.string().min(1),
  guid: z.guid(),
  email: z.email(),
  boolean: z.boolean(),
  int32: z.int32(),
  'int32 above 0': z.int32().positive(),
  'a safe integer': z.int(),
  number: z.number(),
  null: z.null(),
  'nullable guid': z.guid().nullable(),
  'optional boolean': z.boolean().optional(),
  'nullish string': z.string().nullish(),
  enum: z.enum(['one', 'constructor']),
  'numeric enum': z.enum({ One: 1, Two: 2 }),
  custom: z.custom((value) => value === 'one'),
  'custom, of anything that is not nothing': z.custom((value) => value),
  array: z.array(z.string()),
  'an array of one or more': z.array(z.boolean()).min(1),
  'arrays in an array': z.array(z.array(z.int32().nullable())),
  object: person,
  'an object in an object': z.object({ person, others: z.array(person).optional() }),
  'a strict object': z.strictObject({ name: z.string() }),
  'an object of a record': z.object({ counts: z.record(z.string(), z.int32()) }),
  'an object that is checked': person.refine(({ name }) => name !== 'one'),
  union: z.union([z.string(), z.int32()]),
  transform: z.string().transform((text) => text.length),
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
