import fc from 'fast-check';

/** Behaviors of the Study API. The end of a write's `description` selects the behavior for this write. */
const fates = [
  'store',
  'store',
  'store, answer broken fields',
  'store, answer without an id',
  'store, then 500',
  'store, then cut',
  'store, answer a page',
  'store, answer a list',
  'cut',
  '422',
  '401',
  '303',
] as const;
export type Fate = (typeof fates)[number];

/** A root field of a random mutation. */
interface RandomWrite {
  /** Response name of the field. */
  readonly key: string;
  /** The `description` that the field writes, which is unique. */
  readonly description: string;
  /** Whether the field is executed, given its directives; `undefined` if a directive gets `null`. */
  readonly isRun: boolean | undefined;
}

/** A valid document with several mutation fields, and its variables. */
export interface RandomOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly writes: readonly RandomWrite[];
  /** Whether a directive in the document gets `null`, which is neither true nor false. */
  readonly hasNullCondition: boolean;
}

/** Generates variables for directives: a declared type with or without a default, and the given value. */
const conditionVariable = fc.constantFrom(
  { type: 'Boolean!', given: true },
  { type: 'Boolean!', given: false },
  { type: 'Boolean! = true', given: undefined },
  { type: 'Boolean! = false', given: true },
  { type: 'Boolean = true', given: undefined },
  { type: 'Boolean = true', given: false },
  { type: 'Boolean = true', given: null },
  { type: 'Boolean = false', given: null },
);
type ConditionVariable = typeof conditionVariable extends fc.Arbitrary<infer T> ? T : never;

const condition = fc.record({
  name: fc.constantFrom('skip', 'include'),
  value: fc.constantFrom('true', 'false', '$c0', '$c1', '$c2'),
});
type Condition = typeof condition extends fc.Arbitrary<infer T> ? T : never;

const maybeCondition = fc.option(condition, { freq: 3, nil: undefined });

const field = fc.constantFrom(
  'id',
  'status',
  'files',
  'projectId',
  'summaries',
  'strategy',
  'interviewCount',
  '__typename',
  's1: planId',
  'progress { total }',
  'progress { failed p: completed }',
);
const selection = fc.record({
  text: fc.oneof(
    { weight: 6, arbitrary: field },
    { weight: 1, arbitrary: fc.constantFrom('...F0', '...F1') },
    { weight: 1, arbitrary: field.map((text) => `... { ${text} }`) },
    { weight: 1, arbitrary: field.map((text) => `... on Study { ${text} }`) },
  ),
  condition: maybeCondition,
});
type Selection = typeof selection extends fc.Arbitrary<infer T> ? T : never;

const selections = fc.array(selection, { minLength: 1, maxLength: 5 });

const root = fc.record({
  operation: fc.constantFrom('create', 'edit'),
  input: fc.constantFrom('literal', 'variable', 'default', 'default with another given'),
  fate: fc.constantFrom(...fates),
  condition: fc.option(condition, { freq: 6, nil: undefined }),
  selections,
});

/** Generates the parts of an operation. `toOperation` assembles the parts. */
export const operationParts = fc.record({
  roots: fc.array(root, { minLength: 1, maxLength: 4 }),
  fragments: fc.tuple(selections, selections),
  conditions: fc.tuple(conditionVariable, conditionVariable, conditionVariable),
});
type OperationParts = typeof operationParts extends fc.Arbitrary<infer T> ? T : never;

/**
 * Assembles a document from its parts.
 *
 * @param id id of the study that the document edits
 * @param name prefix of each written description
 */
export function toOperation(
  { roots, fragments, conditions }: OperationParts,
  id: string,
  name: string,
): RandomOperation {
  const declared: string[] = [];
  const variables: Record<string, unknown> = {};
  const used = new Set<string>();

  const say = (condition: Condition | undefined): string => {
    if (!condition) return '';
    used.add(condition.value);
    return ` @${condition.name}(if: ${condition.value})`;
  };
  // A directive follows a leaf, or precedes the opening brace of a selection.
  const write = ({ text, condition }: Selection): string => {
    const brace = text.indexOf('{');
    if (brace === -1) return text + say(condition);
    return `${text.slice(0, brace).trimEnd()}${say(condition)} ${text.slice(brace)}`;
  };
  // F0 may spread F1 but not vice versa, so that no fragment spreads itself.
  const bodies = fragments.map((own, index) =>
    own
      .map((it) =>
        it.text === '...F0' || (it.text === '...F1' && index === 1)
          ? { ...it, text: 'language' }
          : it,
      )
      .map(write)
      .join(' '),
  );

  const writes: RandomWrite[] = [];
  const texts = roots.map((it, index) => {
    const key = index === 0 ? `${it.operation}Study` : `k${index}`;
    const description = `${name} ${index}: ${it.fate}`;
    const type = it.operation === 'create' ? 'CreateStudyInput' : 'EditStudyInput';
    const literal = `{ description: ${JSON.stringify(description)} }`;
    let value = `$i${index}`;
    if (it.input === 'literal') value = literal;
    else if (it.input === 'variable') {
      declared.push(`$i${index}: ${type}!`);
      variables[`i${index}`] = { description };
    } else if (it.input === 'default') declared.push(`$i${index}: ${type}! = ${literal}`);
    else {
      declared.push(`$i${index}: ${type} = { description: "not this one" }`);
      variables[`i${index}`] = { description };
    }
    writes.push({ key, description, isRun: holds(it.condition, conditions) });
    const args = it.operation === 'edit' ? `id: "${id}", input: ${value}` : `input: ${value}`;
    const body = it.selections.map(write).join(' ');
    return `${index === 0 ? '' : `${key}: `}${it.operation}Study(${args})${say(it.condition)} { ${body} }`;
  });
  const spread = (body: string): boolean[] => ['...F0', '...F1'].map((it) => body.includes(it));
  const [isF0, isF1] = spread(texts.join(' ')) as [boolean, boolean];
  const isF1Used = isF1 || (isF0 && spread(bodies[0]!)[1]!);
  const definitions = [
    ...(isF0 ? [`fragment F0 on Study { ${bodies[0]} }`] : []),
    ...(isF1Used ? [`fragment F1 on Study { ${bodies[1]} }`] : []),
  ];
  const rest = `{ ${texts.join(' ')} } ${definitions.join(' ')}`;
  let hasNullCondition = false;
  conditions.forEach(({ type, given }, index) => {
    // Declares only variables that the document uses, because an unused variable is invalid.
    if (!new RegExp(String.raw`\(if: \$c${index}\)`).test(rest)) return;
    declared.push(`$c${index}: ${type}`);
    if (given !== undefined) variables[`c${index}`] = given;
    if (given === null) hasNullCondition = true;
  });
  const head = declared.length > 0 ? `mutation (${declared.join(', ')})` : 'mutation';
  return { query: `${head} ${rest}`, variables, writes, hasNullCondition };
}

function holds(
  condition: Condition | undefined,
  conditions: readonly ConditionVariable[],
): boolean | undefined {
  if (!condition) return true;
  const { name, value } = condition;
  const variable = value.startsWith('$') ? conditions[Number(value.slice(2))]! : undefined;
  const given = variable
    ? variable.given === undefined
      ? variable.type.endsWith('true')
      : variable.given
    : value === 'true';
  if (given === null) return undefined;
  return name === 'include' ? given : !given;
}
