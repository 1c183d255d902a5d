import fc from 'fast-check';
import { wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;
const text = (count: number, toText: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => toText(index)).join(' ');
const roots = {
  study: `study(id: "${id}")`,
  createStudy: 'createStudy(input: {})',
} as const;
type Root = keyof typeof roots;
const open = (root: Root): string => (root === 'study' ? '{' : 'mutation {');

/** Documents within every limit that would cost much CPU if fragments or fields were visited more than once. */
export const costlyDocuments: readonly [string, string][] = (
  ['study', 'createStudy'] as const
).flatMap((root) =>
  [
    [
      '2^48 visits by doubling',
      `${open(root)} ${roots[root]} { ...F0 } } ${text(48, (i) => `fragment F${i} on Study { ...F${i + 1} ...F${i + 1} }`)} fragment F48 on Study { id }`,
    ],
    [
      '2^38 visits by doubling, with fields beside each',
      `${open(root)} ${roots[root]} { ...F0 } } ${text(38, (i) => `fragment F${i} on Study { ...F${i + 1} id progress { total } ...F${i + 1} }`)} fragment F38 on Study { id }`,
    ],
    [
      '2^48 visits by doubling in the level below',
      `${open(root)} ${roots[root]} { progress { ...F0 } } } ${text(48, (i) => `fragment F${i} on Progress { ...F${i + 1} ...F${i + 1} }`)} fragment F48 on Progress { total }`,
    ],
    [
      'every fragment spreads all later ones',
      `${open(root)} ${roots[root]} { ...F0 } } ${text(22, (i) => `fragment F${i} on Study { ${text(22 - i, (j) => `...F${i + j + 1}`)} }`)} fragment F22 on Study { id }`,
    ],
    [
      'many fields times many spreads',
      `${open(root)} ${roots[root]} { ${text(220, () => '...F')} } } fragment F on Study { ${text(40, () => 'id status files language planId createdAt bookmarked')} }`,
    ],
    [
      'one alias times many fields',
      `${open(root)} ${roots[root]} { ${text(40, () => 'a: progress { ...F }')} } } fragment F on Progress { ${text(40, () => 'total failed completed')} }`,
    ],
    [
      'equal fields with selections',
      `${open(root)} ${roots[root]} { ${text(40, () => 'progress { total completed failed }')} } }`,
    ],
    [
      'equal root fields',
      `${open(root)} ${text(40, () => `${roots[root]} { id progress { total } }`)} }`,
    ],
    [
      'inline fragments as deep as they may be',
      `${open(root)} ${roots[root]} { ${text(6, () => `${'... on Study { '.repeat(30)} id ${'}'.repeat(30)}`)} } }`,
    ],
    [
      'spreads with directives',
      `${open(root)} ${roots[root]} { ${text(10, () => '...F @include(if: true)')} ${text(200, () => '...F')} } } fragment F on Study { ${text(40, () => 'id status progress { total }')} }`,
    ],
    [
      'fragments with the same fields',
      `${open(root)} ${roots[root]} { ${text(39, (i) => `...F${i}`)} } } ${text(39, (i) => `fragment F${i} on Study { progress { total } id status language files }`)}`,
    ],
  ].map(([what, query]): [string, string] => [`${root}: ${what}`, query!]),
);

const leaf = fc.constantFrom(
  'id',
  'status',
  'files',
  'summaries',
  'strategy',
  'language',
  'problems',
  'audiences',
  'planId',
  '__typename',
);
const directive = fc.constantFrom('', '', '', '', ' @include(if: true)', ' @skip(if: false)');

/** Generates valid documents of many fragments that spread each other. Some of the documents exceed the limits. */
export const tangledDocument: fc.Arbitrary<string> = fc
  .record({
    root: fc.constantFrom('study' as const, 'createStudy' as const),
    /** Contents of each fragment: fields, and spreads of later fragments, as a distance to the later fragment. */
    fragments: fc.array(
      fc.array(
        fc.oneof(
          { weight: 2, arbitrary: fc.integer({ min: 1, max: 6 }) },
          { weight: 2, arbitrary: leaf },
          { weight: 1, arbitrary: fc.constant('progress { total failed }') },
          { weight: 1, arbitrary: leaf.map((name) => `... on Study { ${name} }`) },
        ),
        { minLength: 2, maxLength: 14 },
      ),
      { minLength: 20, maxLength: 48 },
    ),
    aliases: fc.integer({ min: 0, max: 3 }),
    directive,
  })
  .map(({ root, fragments, aliases, directive }) => {
    const bodies = fragments.map((items, index) =>
      items
        .map((item) => {
          if (typeof item === 'string') return item;
          return index + item < fragments.length ? `...F${index + item}` : 'id';
        })
        .join(' '),
    );
    const spread = text(fragments.length, (index) => `...F${index}`);
    const names = ['interviewCount', 'interviews', 'knowledgeGraphs'];
    const own = text(aliases, (index) => `a${index}: ${names[index]}`);
    const definitions = bodies.map((body, index) => `fragment F${index} on Study { ${body} }`);
    return `${open(root)} ${roots[root]} { ${spread}${directive} ${own} } } ${definitions.join(' ')}`;
  });
