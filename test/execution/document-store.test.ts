import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { createPlannedExecution } from 'planned-execution';

const schema = buildSchema('type Query { a(b: String): A } type A { c: Int d: Int }');

const createStore = () => createPlannedExecution(schema).documentStore;

it('keeps 4,000 to 5,000 short documents', async () => {
  const store = createStore();
  for (let index = 0; index < 22_000; index++)
    await store.set(`key ${index}`, parse(`query Q${index} { a { c d } }`));

  let kept = 0;
  for (let index = 0; index < 22_000; index++) if (await store.get(`key ${index}`)) kept += 1;

  expect(kept).toBeGreaterThanOrEqual(4_000);
  expect(kept).toBeLessThanOrEqual(5_000);
});

it.each([
  ['are long', 3_000, `{ a(b: "${'x'.repeat(19_000)}") { c } }`],
  ['have many tokens', 1_000, `{ a { ${'c '.repeat(980)}} }`],
])('keeps fewer documents if they %s', async (_, count, source) => {
  const store = createStore();
  const document = parse(source);
  for (let index = 0; index < count; index++) await store.set(`key ${index}`, document);

  expect(await store.get('key 0')).toBeUndefined();
  expect(await store.get(`key ${count - 1}`)).toBeDefined();
});
