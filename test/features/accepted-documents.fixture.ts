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
