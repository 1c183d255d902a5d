import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { startStoringApi, success, toTwice, type Treatment } from '../support/storing-api.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { allDaily, everyNth } from '../support/daily.js';

/** How the write of one root field goes. Without `answer`, the gateway refuses the write. */
interface Way extends Treatment {
  /** Whether the write may have been stored, as far as the gateway can see. */
  readonly mayHaveWritten?: true;
  /** Idempotency key of the field. */
  readonly key?: string;
  /** Whether the failure of the field, taken alone, is worth a retry. `undefined` if the field succeeds. */
  readonly isPassing?: boolean;
}

const { projectId } = wholeStudy;

/** The key that takes the only place for a key. */
const usedKey = '00000000-0000-4000-8000-000000000001';

/** Ways in which the write of one root field can go. */
const ways = {
  success: { ...success, mayHaveWritten: true },
  'a broken field': {
    answer: answerJson({ ...wholeStudy, projectId: 7 }),
    stores: true,
    mayHaveWritten: true,
    isPassing: false,
  },
  'a lost answer': {
    answer: (response) => response.destroy(),
    stores: true,
    mayHaveWritten: true,
    isPassing: false,
  },
  'a 500': { answer: answerJson({}, 500), mayHaveWritten: true, isPassing: false },
  'a 422': { answer: answerJson({}, 422), isPassing: false },
  'a 429': { answer: answerJson({}, 429), isPassing: true },
  'a used key': { key: usedKey, isPassing: false },
  'no place for its key': { key: '7d3c1f7e-8a53-4e0b-9a52-3d1f6c0a2b11', isPassing: true },
} satisfies Record<string, Way>;

type WayName = keyof typeof ways;
const names = Object.keys(ways) as WayName[];

/** Returns whether each failed root field is `retryable`. The name of an error without a path is ''. */
function toRetryable({ errors = [] }: ExecutionResult): Record<string, unknown> {
  return Object.fromEntries(
    errors.map(({ path = [''], extensions }) => [String(path[0]), extensions?.['retryable']]),
  );
}

const toKeyArgument = (key?: string): string => (key ? `, idempotencyKey: "${key}"` : '');
const toCreate = (name: string, key?: string): string =>
  `${name}: createStudy(input: { description: "${name}" }${toKeyArgument(key)}) { id projectId }`;

const twoCreates = `mutation { ${toCreate('a')} ${toCreate('b')} }`;

/** Runs a mutation whose fields `w0`, `w1` and so on go these ways, and then once more, whatever the errors say. */
async function runTwice(
  fields: readonly WayName[],
  options: TestGatewayOptions,
): Promise<{ retryable: object; twice: readonly string[] }> {
  const waysByName = new Map<string, Way>(
    fields.map((name, place) => [`w${place}`, ways[name]] as const),
  );
  const { url, stored } = await startStoringApi((name) => waysByName.get(name) ?? success);
  const gateway = await startTestGateway({ ...options, studyApiUrl: url, maxKeys: 1 });
  // Takes the only place for a key.
  await gateway.graphql(`mutation { ${toCreate('warmUp', usedKey)} }`);
  const mutation = `mutation { ${[...waysByName].map(([name, { key }]) => toCreate(name, key)).join(' ')} }`;

  const retryable = toRetryable(await gateway.graphql(mutation));
  await gateway.graphql(mutation);
  return { retryable, twice: toTwice(stored) };
}

/** Returns what `runTwice` should return. */
function toExpected(fields: readonly WayName[]): { retryable: object; twice: readonly string[] } {
  const all = fields.map((name, place): [string, Way] => [`w${place}`, ways[name]]);
  const isSafe = !all.some(([, { mayHaveWritten }]) => mayHaveWritten);
  return {
    retryable: Object.fromEntries(
      all.flatMap(([name, { isPassing }]) =>
        isPassing === undefined ? [] : [[name, isPassing && isSafe]],
      ),
    ),
    twice: all.flatMap(([name, { stores }]) => (stores ? [name] : [])),
  };
}

const pairs = names.flatMap((first) => names.map((second) => [first, second] as const));

describe.each([
  ['by a plan', { plans: true }],
  ['by graphql-js', { plans: false }],
])('an error of a mutation, executed %s,', (_, options) => {
  it.for(
    // Every third pair: each way comes first, and second.
    allDaily(
      pairs,
      options.plans ? everyNth(3, pairs) : pairs.filter(([first, second]) => first === second),
    ),
  )('is retryable only if a repeat stores nothing twice: %s, %s', async (fields) => {
    expect(await runTwice(fields, options)).toEqual(toExpected(fields));
  });

  it('is retryable beside fields that were skipped, and in fragments, unless one has written', async () => {
    const { url, stored } = await startStoringApi((name) =>
      name === 'done' ? success : ways['a 429'],
    );
    const { graphql } = await startTestGateway({ ...options, studyApiUrl: url });
    const mutation = (fields: string): string => `
      mutation {
        ${toCreate('skipped').replace('{ id', '@skip(if: true) { id')}
        ...A
        ... on Mutation { ${toCreate('b')} }
      }
      fragment A on Mutation { ${toCreate('a')} ...B }
      fragment B on Mutation { ${fields} }
    `;

    const first = await graphql(mutation(toCreate('c')));
    const again = await graphql(mutation(toCreate('done').replace('done', 'd') + toCreate('e')));

    expect(toRetryable(first)).toEqual({ a: true, b: true, c: true });
    expect(toRetryable(again)).toEqual({ e: false });
    expect(stored).toEqual(['a', 'done', 'b']);
  });

  it('is not retryable beside a write, though each write has an idempotency key', async () => {
    const { url, stored } = await startStoringApi((name) =>
      name === 'a' ? success : ways['a 429'],
    );
    const { graphql } = await startTestGateway({ ...options, studyApiUrl: url });
    const mutation = `mutation { ${toCreate('a', '00000000-0000-4000-8000-00000000000a')} ${toCreate('b', '00000000-0000-4000-8000-00000000000b')} }`;

    const first = await graphql(mutation);
    const again = await graphql(mutation);

    expect(toRetryable(first)).toEqual({ b: false });
    // The keys make a repeat safe; whether to rely on the keys is decided by who sent them.
    expect(again).toMatchObject({ data: { a: first.data?.['a'], b: { projectId } } });
    expect(again.errors).toBeUndefined();
    expect(stored).toEqual(['a', 'b']);
  });
});

it('is retryable without a path, because the mutation was refused as a whole', async () => {
  const gateway = await startTestGateway({ rateLimitMutationFields: 1 });

  expect(toRetryable(await gateway.graphql(twoCreates))).toEqual({ '': true });
  expect(gateway.calls).toEqual([]);
});
