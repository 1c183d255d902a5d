import fc from 'fast-check';
import { studyFields } from '../support/contract.js';
import { createStudyInput } from './arbitraries.fixture.js';
import { operationParts, toOperation } from './random-writes.fixture.js';
import { studyId, toLiteral } from '../support/inputs.js';

// Generates GraphQL documents of every kind: executable, only syntactically valid, and invalid.

/** Generates executable mutations, whose variables may be missing. */
const runnable = operationParts.map((parts) => toOperation(parts, studyId, 'fuzz').query);

/** Documents with every part of the syntax, whose names do not fit the schema. */
const strange = fc.constantFrom(
  'query Q($a: [Int!]! = [1]) { study(id: $a) @include(if: true) { x: id ... on Progress { total } ...A } } fragment A on Study { id ...A }',
  'subscription { createStudy } type Study { id: ID } schema { query: Study } extend type Query { a: Int }',
  '{ __schema { types { name } } constructor: study(input: { a: [null, concept_study, {}] }) { language @defer(if: $b) } }',
);

const name = fc.oneof(
  fc.constantFrom(...studyFields, 'createStudy', 'study', 'input', 'if', 'on', 'null', 'total'),
  fc.constantFrom('Study', 'Query', 'CreateStudyInput', '__typename', '__type', 'constructor'),
  fc.stringMatching(/^[_A-Za-z][_0-9A-Za-z]{0,12}$/),
);
const value = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('-0', '1e999', '00', '1.', '0x1', '9'.repeat(400), '-', 'true', '{}', '[]'),
  fc.constantFrom('$a', '$id', '"\\u{110000}"', '"\\ud800"', '"', '"""', `"${studyId}"`, '"\\x"'),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.string({ unit: 'grapheme' }).map((text) => `"""${text}"""`),
  createStudyInput.map(toLiteral),
);

/** Generates documents in which other names and values stand in place of some. */
const changed = fc
  .tuple(
    fc.oneof(runnable, strange),
    fc.array(fc.tuple(fc.nat(), name, value), { minLength: 1, maxLength: 3 }),
  )
  .map(([source, changes]) => {
    const tokens = source.split(/(\w+|"[^"]*")/);
    for (const [at, otherName, otherValue] of changes) {
      // Every second item is a name or a value.
      const index = (at % (tokens.length >> 1)) * 2 + 1;
      tokens[index] = /^["\d]|^true|^false|^null/.test(tokens[index]!) ? otherValue : otherName;
    }
    return tokens.join('');
  });

/** Generates documents of which a part is replaced by arbitrary text. */
const broken = fc
  .tuple(
    fc.oneof(runnable, strange),
    fc.nat(),
    fc.nat({ max: 20 }),
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('{', '}', '...', '#', '\u0000', '\ud800'),
    ),
  )
  .map(([source, at, length, insert]) => {
    const start = at % (source.length + 1);
    return source.slice(0, start) + insert + source.slice(start + length);
  });

const deep = fc
  .tuple(
    fc.constantFrom<[string, string]>(
      ['{a', '}'],
      ['[', ']'],
      ['{a(b:[', '])}'],
      ['{a:', '}'],
      ['!', ''],
    ),
    fc.integer({ min: 1, max: 5000 }),
    fc.constantFrom('', '{ createStudy(input: ', 'query($a: '),
  )
  .map(([[open, close], count, start]) => start + open.repeat(count) + close.repeat(count));

export const document = fc.oneof(
  { weight: 4, arbitrary: runnable },
  { weight: 4, arbitrary: changed },
  { weight: 2, arbitrary: broken },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
);
