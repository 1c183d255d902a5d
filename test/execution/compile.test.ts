import { expect, it } from 'vitest';
import { compile } from '../../src/execution/compile.js';
import { irregular } from '../../src/execution/irregular.js';

it('makes a function of names and of what is in its scope', () => {
  const swap = compile('return { a: twice(object.b), b: object.a };', ['a', 'b'], {
    twice: (value: number) => value * 2,
  });

  expect(swap({ a: 1, b: 2 })).toEqual({ a: 4, b: 1 });
});

it.each(['', '1a', 'a b', 'a;', 'a}', 'a:b', '"a"', 'a\n', 'a.b', 'é', '\u0061\\u0062'])(
  'makes nothing of the name %j, which is none of GraphQL',
  (name) => {
    expect(() => compile('return {};', ['good', name], {})).toThrow(irregular);
  },
);
