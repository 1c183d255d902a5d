import { wholeStudy } from '../support/studies.js';

const text = (count: number, toText: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => toText(index)).join(' ');
const root = `study(id: "${wholeStudy.id}")`;
const create = 'createStudy(input: {})';

/** Documents within every limit that would cost much CPU if fragments or fields were visited more than once. */
export const costlyDocuments: readonly [string, string][] = [
  [
    '2^48 visits by doubling',
    `{ ${root} { ...F0 } } ${text(48, (i) => `fragment F${i} on Study { ...F${i + 1} ...F${i + 1} }`)} fragment F48 on Study { id }`,
  ],
  [
    '2^38 visits by doubling, with fields beside each',
    `mutation { ${create} { ...F0 } } ${text(38, (i) => `fragment F${i} on Study { ...F${i + 1} id progress { total } ...F${i + 1} }`)} fragment F38 on Study { id }`,
  ],
  [
    '2^48 visits by doubling in the level below',
    `{ ${root} { progress { ...F0 } } } ${text(48, (i) => `fragment F${i} on Progress { ...F${i + 1} ...F${i + 1} }`)} fragment F48 on Progress { total }`,
  ],
  [
    'every fragment spreads all later ones',
    `{ ${root} { ...F0 } } ${text(22, (i) => `fragment F${i} on Study { ${text(22 - i, (j) => `...F${i + j + 1}`)} }`)} fragment F22 on Study { id }`,
  ],
  [
    'many fields times many spreads',
    `{ ${root} { ${text(220, () => '...F')} } } fragment F on Study { ${text(40, () => 'id status files language planId createdAt bookmarked')} }`,
  ],
  [
    'one alias times many fields',
    `{ ${root} { ${text(40, () => 'a: progress { ...F }')} } } fragment F on Progress { ${text(40, () => 'total failed completed')} }`,
  ],
  [
    'equal fields with selections',
    `{ ${root} { ${text(40, () => 'progress { total completed failed }')} } }`,
  ],
  ['equal root fields', `mutation { ${text(40, () => `${create} { id progress { total } }`)} }`],
  [
    'inline fragments as deep as they may be',
    `{ ${root} { ${text(6, () => `${'... on Study { '.repeat(30)} id ${'}'.repeat(30)}`)} } }`,
  ],
  [
    'spreads with directives',
    `{ ${root} { ${text(10, () => '...F @include(if: true)')} ${text(200, () => '...F')} } } fragment F on Study { ${text(40, () => 'id status progress { total }')} }`,
  ],
  [
    'fragments with the same fields',
    `{ ${root} { ${text(39, (i) => `...F${i}`)} } } ${text(39, (i) => `fragment F${i} on Study { progress { total } id status language files }`)}`,
  ],
];
