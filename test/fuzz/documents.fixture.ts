import fc from 'fast-check';
import { studyFields } from '../support/contract.js';
import { createStudyInput } from './arbitraries.fixture.js';
import { operationParts, toOperation } from './random-writes.fixture.js';
import { studyId, toLiteral } from '../support/inputs.js';

// Generates GraphQL documents of every kind: executable, only syntactically valid, and invalid.

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...studyFields, 'total', 'completed', '__typename') },
  { weight: 3, arbitrary: fc.constantFrom('createStudy', 'editStudy', 'study', 'input', 'if') },
  { weight: 1, arbitrary: fc.constantFrom('__schema', '__type', '_', 'on', 'null', 'constructor') },
  { weight: 1, arbitrary: fc.stringMatching(/^[_A-Za-z][_0-9A-Za-z]{0,12}$/) },
);
const typeName = fc.constantFrom(
  'Study',
  'Mutation',
  'Query',
  'Progress',
  'CreateStudyInput',
  'No',
);
const fragmentName = fc.constantFrom('A', 'B', 'C');
const variable = fc.constantFrom('$a', '$b', '$input', '$id', '$');

const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('-0', '1e999', '00', '1.', '0x1', '9'.repeat(400), '-'),
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'grapheme' }).map((value) => `"""${value}"""`),
  fc.constantFrom('"\\u{110000}"', '"\\ud800"', '"\\u{d83d}"', '"', '"""', `"${studyId}"`, '"\\x"'),
);

const { selection, value } = fc.letrec<{ value: string; selection: string; field: string }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      number,
      text,
      fc.constantFrom('true', 'null', 'concept_study', '{}', '[]'),
      variable,
      createStudyInput.map(toLiteral),
      fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
      fc
        .array(fc.tuple(word, tie('value')), { maxLength: 3 })
        .map((fields) => `{${fields.map(([name, item]) => `${name}: ${item}`).join(' ')}}`),
    ),
    field: fc
      .record({
        alias: fc.oneof(
          { weight: 4, arbitrary: fc.constant('') },
          word.map((name) => `${name}: `),
        ),
        name: word,
        args: fc.oneof(
          { weight: 3, arbitrary: fc.constant('') },
          fc.tuple(word, tie('value')).map(([name, item]) => `(${name}: ${item})`),
        ),
        directive: fc.oneof(
          { weight: 5, arbitrary: fc.constant('') },
          fc
            .tuple(fc.constantFrom('skip', 'include', 'defer', 'no'), tie('value'))
            .map(([name, item]) => ` @${name}(if: ${item})`),
        ),
        selection: fc.oneof(
          { maxDepth: 4 },
          fc.constant(''),
          tie('selection').map((inner) => ` ${inner}`),
        ),
      })
      .map(
        ({ alias, name, args, directive, selection }) =>
          alias + name + args + directive + selection,
      ),
    selection: fc
      .array(
        fc.oneof(
          { maxDepth: 4, withCrossShrink: true },
          word,
          fragmentName.map((name) => `...${name}`),
          fc.tuple(typeName, tie('selection')).map(([type, inner]) => `... on ${type} ${inner}`),
          tie('field'),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((items) => `{ ${items.join(' ')} }`),
  }),
);

/** Generates executable mutations, whose variables may be missing. */
const runnable = operationParts.map((parts) => toOperation(parts, studyId, 'fuzz').query);

const definition = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('mutation', 'query', 'mutation M', 'subscription', ''),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant('') },
        fc
          .tuple(variable, fc.constantFrom('UUID!', 'CreateStudyInput!', '[Int!]!', 'No'), value)
          .map(([name, type, item]) => `(${name}: ${type} = ${item})`),
      ),
      selection,
    )
    .map((parts) => parts.join(' ')),
  fc
    .tuple(fragmentName, typeName, selection)
    .map(([name, type, inner]) => `fragment ${name} on ${type} ${inner}`),
  fc.constantFrom(
    'type Study { id: ID }',
    'schema { query: Study }',
    'extend type Query { a: Int }',
  ),
);
const parsable = fc.array(definition, { minLength: 1, maxLength: 4 }).map((all) => all.join('\n'));

/** Generates documents of which a part is replaced by arbitrary text. */
const broken = fc
  .tuple(
    fc.oneof(runnable, parsable),
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
  { weight: 3, arbitrary: parsable },
  { weight: 3, arbitrary: broken },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
);
