import fc from 'fast-check';

/** What a client learns of one root field. */
export type Told =
  'a thing' | 'a thing with an error' | 'APPLIED' | 'REJECTED' | 'NOT_SENT' | 'UNKNOWN';

/** How the API treats a write: what its answer proves, and whether it stores the write. */
export interface Fate {
  readonly proves: Told;
  readonly stores: boolean;
  /** Set if the API never answers. */
  readonly isSilent?: true;
}

export const fates = {
  whole: { proves: 'a thing', stores: true },
  'whole 201': { proves: 'a thing', stores: true },
  'broken text': { proves: 'a thing with an error', stores: true },
  'cut after the id': { proves: 'APPLIED', stores: true },
  'empty 201': { proves: 'APPLIED', stores: true },
  '422': { proves: 'REJECTED', stores: false },
  '409': { proves: 'REJECTED', stores: false },
  '404': { proves: 'REJECTED', stores: false },
  'cut before the id': { proves: 'UNKNOWN', stores: true },
  'page with 200': { proves: 'UNKNOWN', stores: true },
  'refusal with 200': { proves: 'UNKNOWN', stores: false },
  'reset before storing': { proves: 'UNKNOWN', stores: false },
  'reset after storing': { proves: 'UNKNOWN', stores: true },
  '500 before storing': { proves: 'UNKNOWN', stores: false },
  '500 after storing': { proves: 'UNKNOWN', stores: true },
  'silence before storing': { proves: 'UNKNOWN', stores: false, isSilent: true },
  'silence after storing': { proves: 'UNKNOWN', stores: true, isSilent: true },
} as const satisfies Record<string, Fate>;
export type FateName = keyof typeof fates;
export const fateNames = Object.keys(fates) as FateName[];
const isSilent = (fate: FateName): boolean => 'isSilent' in fates[fate];

/** Root fields, by what their resolver does with the answer. */
const kinds = [
  'createStudy',
  'editStudy',
  'createNote',
  'editNote',
  'deleteNote',
  'throws before its write',
  'throws after its write',
  'swallows the error of its write, and throws',
  'reads before its write, and throws',
  '__typename',
] as const;
type Kind = (typeof kinds)[number];

export interface Root {
  readonly name: string;
  readonly kind: Kind;
  readonly fate: FateName;
  /** Where the text of the write stands. graphql-js executes documents with a text in a variable, in place of a plan. */
  readonly text: 'literal' | 'input in a variable' | 'text in a variable';
  readonly isKeyed: boolean;
}

/** A directive whose condition is a literal, or a variable with this value. */
interface Condition {
  readonly directive: 'skip' | 'include';
  readonly value: 'true' | 'false' | '$yes' | '$no' | '$absent';
}

export type Node =
  | {
      readonly root: number;
      readonly selection: number;
      readonly condition?: Condition | undefined;
    }
  | {
      readonly on: '' | 'on Mutation ';
      readonly nodes: readonly Node[];
      readonly condition?: Condition | undefined;
    }
  | { readonly spread: number; readonly condition?: Condition | undefined };

/** The parts of a document. A fragment spreads only later fragments; each index counts modulo what there is. */
export interface Parts {
  readonly roots: readonly Root[];
  readonly nodes: readonly Node[];
  readonly fragments: readonly (readonly Node[])[];
}

/** One write of a document, and what must be told of it. */
interface Write {
  readonly name: string;
  /** Id in the path of a write without a body, otherwise the text of its body. */
  readonly text: string;
  readonly fate: FateName;
  readonly told: Told;
  readonly calls: 0 | 1;
}

export interface Document {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The root fields that are executed, in order. */
  readonly writes: readonly Write[];
}

/** Selections of a thing, with placeholders for its type, its id and its text. A plan takes the first ones. */
const selections: readonly { readonly body: string; readonly hasText: boolean }[] = [
  { body: 'ID', hasText: false },
  { body: 'TEXT', hasText: true },
  { body: 'ID TEXT', hasText: true },
  { body: '... on THING { ID ... { TEXT } }', hasText: true },
  { body: '...THINGParts', hasText: true },
  { body: '__typename ID TEXT', hasText: true },
  { body: 'TEXT ID', hasText: true },
  { body: 'ID TEXT @skip(if: true)', hasText: false },
  { body: 'ID TEXT @include(if: $no)', hasText: false },
];
/** Aliases of a text and of an id. Below the root, a document has one name for each. */
const textAliases = ['', 'toString: ', 'constructor: ', 'valueOf: '];
const idAliases = ['', 'again: ', ...Array.from({ length: 17 }, () => ''), '__proto__: '];
const PLANNED_SELECTIONS = 6;

/** Variables of conditions: type, and the given value. */
const conditions = {
  $yes: ['Boolean!', true],
  $no: ['Boolean! = true', false],
  $absent: ['Boolean = true', undefined],
} as const;

function holds({ directive, value }: Condition): boolean {
  return (
    (value === 'true' || value === '$yes' || value === '$absent') === (directive === 'include')
  );
}

/** Returns an id that says the fate of the write that has no body. */
function toId(fate: FateName, document: number, root: number): string {
  const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');
  return `${hex(fateNames.indexOf(fate), 8)}-0000-4000-8000-${hex(document * 1_000 + root, 12)}`;
}

function toTold({ kind, fate }: Root, hasText: boolean): Told {
  if (kind === '__typename') return 'a thing';
  if (kind === 'throws before its write') return 'NOT_SENT';
  const { proves } = fates[fate];
  const isThing = proves === 'a thing' || proves === 'a thing with an error';
  if (!isThing) return proves;
  if (kind.includes('throws')) return 'APPLIED';
  return proves === 'a thing with an error' && hasText && kind !== 'deleteNote'
    ? proves
    : 'a thing';
}

/** The value of a variable that is another key each time that the document is sent. */
export const NEW_KEY = 'a new key';

/** Writes the document, and walks it as the GraphQL specification says: which fields are executed, in which order. */
export function toDocument({ roots, nodes, fragments }: Parts, number: number): Document {
  const declared = new Map<string, readonly [type: string, value: unknown]>(
    Object.entries(conditions),
  );
  const rootAt = (index: number): number => index % roots.length;
  const textOf = (index: number): string =>
    roots[index]!.kind === 'deleteNote'
      ? toId(roots[index]!.fate, number, index)
      : `${roots[index]!.fate} #${number}.${index}`;

  const select = (body: string, thing: string, text: string): string =>
    body
      .replaceAll('THING', thing)
      .replaceAll('ID', `${idAliases[number % idAliases.length]}id`)
      .replaceAll('TEXT', `${textAliases[number % textAliases.length]}${text}`);

  const printRoot = (index: number, selection: number): string => {
    const { name, kind, text, isKeyed, fate } = roots[index]!;
    if (kind === '__typename') return `${name}: __typename`;
    const own = textOf(index);
    const variable = `$t${index}`;
    const field = kind.includes('throws') ? 'carelessNote' : kind;
    const alias = name === field ? '' : `${name}: `;
    if (kind === 'deleteNote') {
      declared.set(variable, ['UUID!', own]);
      return `${alias}deleteNote(id: ${text === 'literal' ? JSON.stringify(own) : variable})`;
    }
    const isStudy = kind.endsWith('Study');
    const part = isStudy ? 'description' : 'text';
    const type = isStudy ? `${kind[0]!.toUpperCase()}${kind.slice(1)}Input!` : 'NoteInput!';
    const isWhole = text === 'input in a variable';
    declared.set(variable, isWhole ? [type, { [part]: own }] : ['String', own]);
    const value = text === 'literal' ? JSON.stringify(own) : variable;
    const input = `input: ${isWhole ? variable : `{ ${part}: ${value} }`}`;
    const id = kind.startsWith('edit') ? `id: "${toId(fate, number, index)}", ` : '';
    const how = kind.includes('throws') ? `how: "${kind}", ` : '';
    const hasKey = isKeyed && kind.startsWith('create');
    if (hasKey) declared.set(`$k${index}`, ['UUID', NEW_KEY]);
    const key = hasKey ? `, idempotencyKey: $k${index}` : '';
    const { body } = selections[selection % selections.length]!;
    const things = select(body, isStudy ? 'Study' : 'Note', part);
    return `${alias}${field}(${id}${how}${input}${key}) { ${things} }`;
  };
  const say = (condition: Condition | undefined): string =>
    condition ? `@${condition.directive}(if: ${condition.value}) ` : '';
  const print = (node: Node): string => {
    if ('nodes' in node) return `... ${node.on}${say(node.condition)}{ ${printAll(node.nodes)} }`;
    if ('spread' in node) return `...F${node.spread} ${say(node.condition)}`;
    const text = printRoot(rootAt(node.root), node.selection);
    const place = text.indexOf(' { ', text.indexOf(')')) + 1 || text.length;
    return `${text.slice(0, place)} ${say(node.condition)}${text.slice(place)}`;
  };
  const printAll = (all: readonly Node[]): string => all.map(print).join(' ');

  /** Whether the text of a thing is selected, by the place of its root field, in the order of execution. */
  const executed = new Map<number, boolean>();
  const walk = (node: Node): void => {
    if (node.condition && !holds(node.condition)) return;
    if ('nodes' in node) node.nodes.forEach(walk);
    else if ('spread' in node) fragments[node.spread]!.forEach(walk);
    else {
      const root = rootAt(node.root);
      const { hasText } = selections[node.selection % selections.length]!;
      executed.set(root, hasText || (executed.get(root) ?? false));
    }
  };
  nodes.forEach(walk);

  const bodies = fragments.map(printAll);
  const texts = [`{ ${printAll(nodes)} }`];
  const spread = (name: string): boolean => texts.some((text) => text.includes(`...${name}`));
  bodies.forEach((body, index) => {
    if (spread(`F${index} `)) texts.push(`fragment F${index} on Mutation { ${body} }`);
  });
  for (const [thing, text] of [
    ['Study', 'description'],
    ['Note', 'text'],
  ] as const)
    if (spread(`${thing}Parts`))
      texts.push(`fragment ${thing}Parts on ${thing} { ${select('ID TEXT', thing, text)} }`);
  const rest = texts.join('\n');
  const used = [...declared].filter(([name]) => new RegExp(`\\${name}\\b`).test(rest));
  const head = used.map(([name, [type]]) => `${name}: ${type}`).join(', ');
  const given = used.filter(([, [, value]]) => value !== undefined);
  return {
    query: `mutation D${number}${head && ` (${head})`} ${rest}`,
    variables: Object.fromEntries(given.map(([name, [, value]]) => [name.slice(1), value])),
    writes: [...executed].map(([index, hasText]) => {
      const root = roots[index]!;
      const told = toTold(root, hasText);
      const calls = root.kind === '__typename' || told === 'NOT_SENT' ? 0 : 1;
      return { name: root.name, text: textOf(index), fate: root.fate, told, calls };
    }),
  };
}

/** Response names: words that objects and promises know, parts of a response, and names of other fields. */
export const names = (
  '__proto__ constructor toString valueOf hasOwnProperty __defineGetter__ then length data errors path extensions ' +
  'name prototype __typename createStudy editStudy createNote editNote deleteNote carelessNote a b A _ _0 undefined null'
).split(' ');

/** Most root fields of a random mutation. */
export const MAX_ROOTS = 20;

const nothing = fc.constant(undefined);
const anyCondition = fc.oneof(
  { weight: 4, arbitrary: nothing },
  {
    weight: 1,
    arbitrary: fc.record({
      directive: fc.constantFrom('skip', 'include'),
      value: fc.constantFrom('true', 'false', '$yes', '$no', '$absent'),
    }),
  },
);
const silences = fateNames.filter((name) => isSilent(name));
const unknown = fateNames.filter((name) => fates[name].proves === 'UNKNOWN' && !isSilent(name));
const known = fateNames.filter((name) => fates[name].proves !== 'UNKNOWN');
const fate = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<FateName>('whole', 'whole 201') },
  { weight: 4, arbitrary: fc.constantFrom(...known) },
  { weight: 3, arbitrary: fc.constantFrom(...unknown) },
);
const rootOf = (isPlanned: boolean) =>
  fc.record({
    kind: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...kinds.slice(0, 5)) },
      { weight: 1, arbitrary: fc.constantFrom(...kinds.slice(5, isPlanned ? -1 : undefined)) },
    ),
    fate,
    text: fc.constantFrom<Root['text']>(
      'literal',
      'input in a variable',
      isPlanned ? 'literal' : 'text in a variable',
    ),
    isKeyed: fc.boolean(),
  });

/** Generates nodes that spread these fragments. Planned ones have no directives and no `__proto__`. */
function nodesOf(isPlanned: boolean, spreads: readonly number[]): fc.Arbitrary<Node[]> {
  const condition = isPlanned ? nothing : anyCondition;
  const selection = fc.nat((isPlanned ? PLANNED_SELECTIONS : selections.length) - 1);
  const field = fc.record({ root: fc.nat(MAX_ROOTS - 1), selection, condition });
  const on = fc.constantFrom<'' | 'on Mutation '>('', 'on Mutation ');
  return fc.letrec<{ nodes: Node[]; node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'nodes' },
      field,
      field,
      ...spreads.map((spread) => fc.record({ spread: fc.constant(spread), condition })),
      fc.record({ on, nodes: tie('nodes'), condition }),
    ),
    nodes: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
  })).nodes;
}

/** Generates parts in which every root field stands at least once, and at most one call is never answered. */
function partsOf(isPlanned: boolean): fc.Arbitrary<Parts> {
  const allowed = names.filter((name) => !(isPlanned && name === '__proto__'));
  return fc
    .record({
      names: fc.shuffledSubarray(allowed, { minLength: 1, maxLength: MAX_ROOTS }),
      roots: fc.array(rootOf(isPlanned), { minLength: MAX_ROOTS, maxLength: MAX_ROOTS }),
      nodes: nodesOf(isPlanned, [0, 1, 2]),
      fragments: fc.tuple(
        nodesOf(isPlanned, [1, 2]),
        nodesOf(isPlanned, [2]),
        nodesOf(isPlanned, []),
      ),
      silence: fc.oneof(
        { weight: 19, arbitrary: nothing },
        { weight: 1, arbitrary: fc.constantFrom(...silences) },
      ),
    })
    .map(({ names, roots, nodes, fragments, silence }) => ({
      roots: names.map((name, index) => {
        const own = { ...roots[index]!, name };
        return index === 0 && silence ? { ...own, fate: silence } : own;
      }),
      nodes: [
        ...nodes,
        ...names.map((_, index) => ({ root: index, selection: index % PLANNED_SELECTIONS })),
      ],
      fragments,
    }));
}

export const parts = fc.oneof(partsOf(true), partsOf(false));
