import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { startHoldingApi } from '../support/held-calls.js';
import { createLateApi, watchRefusals } from '../support/retries.js';
import {
  answerStudy,
  startStoringApi,
  success,
  toTwice,
  type Treatment,
} from '../support/storing-api.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { allDaily } from '../support/daily.js';

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

type ToField = (name: string, key?: string) => string;

const toKeyArgument = (key?: string): string => (key ? `, idempotencyKey: "${key}"` : '');
const toCreate: ToField = (name, key) =>
  `${name}: createStudy(input: { description: "${name}" }${toKeyArgument(key)}) { id projectId }`;
const toEdit: ToField = (name, key) =>
  `${name}: editStudy(id: "${wholeStudy.id}", input: { description: "${name}" }${toKeyArgument(key)}) { id projectId }`;

const twoCreates = `mutation { ${toCreate('a')} ${toCreate('b')} }`;

/** Runs a mutation whose fields `w0`, `w1` and so on go these ways, and then once more, whatever the errors say. */
async function runTwice(
  fields: readonly WayName[],
  toField: ToField,
  options: TestGatewayOptions,
): Promise<{ retryable: object; twice: readonly string[] }> {
  const waysByName = new Map<string, Way>(
    fields.map((name, place) => [`w${place}`, ways[name]] as const),
  );
  const { url, stored } = await startStoringApi((name) => waysByName.get(name) ?? success);
  const gateway = await startTestGateway({ ...options, studyApiUrl: url, maxKeys: 1 });
  // Takes the only place for a key.
  await gateway.graphql(`mutation { ${toField('warmUp', usedKey)} }`);
  const mutation = `mutation { ${[...waysByName].map(([name, { key }]) => toField(name, key)).join(' ')} }`;

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
/** Three and five fields, of which the first or the last one goes another way than the others. */
const longer = names.flatMap((name) =>
  [3, 5].flatMap((count) =>
    [0, -1].map((place) => Array<WayName>(count).fill('a 429').with(place, name)),
  ),
);

describe.each([
  ['by a plan', { plans: true }],
  ['by graphql-js', { plans: false }],
])('an error of a mutation, executed %s,', (_, options) => {
  it.for(
    allDaily(pairs, options.plans ? pairs : pairs.filter(([first, second]) => first === second)),
  )('is retryable only if a repeat stores nothing twice: %s, %s', async (fields) => {
    expect(await runTwice(fields, toCreate, options)).toEqual(toExpected(fields));
  });

  it.for(
    allDaily(longer, options.plans ? longer : []).map((fields) => ({
      fields,
      order: fields.join(', '),
    })),
  )('is retryable only if a repeat edits nothing twice: $order', async ({ fields }) => {
    expect(await runTwice(fields, toEdit, options)).toEqual(toExpected(fields));
  });

  it('is retryable beside fields that were skipped, and in fragments', async () => {
    const { url, stored } = await startStoringApi(() => ways['a 429']);
    const { graphql } = await startTestGateway({ ...options, studyApiUrl: url });
    const mutation = `
      mutation ($isOff: Boolean = false) {
        ${toCreate('skipped').replace('{ id', '@skip(if: true) { id')}
        ${toCreate('left').replace('{ id', '@include(if: $isOff) { id')}
        ...A
        ... on Mutation { ${toCreate('b')} }
      }
      fragment A on Mutation { ${toCreate('a')} ...B }
      fragment B on Mutation { ${toEdit('c')} ${toEdit('c')} }
    `;

    const first = await graphql(mutation);
    const again = await graphql(mutation);

    expect(toRetryable(first)).toEqual({ a: true, b: true, c: true });
    expect(again.errors).toBeUndefined();
    expect(stored).toEqual(['a', 'c', 'b']);
  });

  it('is not retryable if a field in a fragment has written', async () => {
    const { url, stored } = await startStoringApi((name) =>
      name === 'a' ? success : ways['a 429'],
    );
    const { graphql } = await startTestGateway({ ...options, studyApiUrl: url });

    const result = await graphql(`
      mutation { ...A ${toCreate('b')} }
      fragment A on Mutation { ${toCreate('a')} }
    `);

    expect(toRetryable(result)).toEqual({ b: false });
    expect(stored).toEqual(['a']);
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

  it('is retryable without a path, because the mutation was refused as a whole', async () => {
    const { url, stored } = await startStoringApi(() => success);
    const { graphql } = await startTestGateway({
      ...options,
      studyApiUrl: url,
      rateLimitMutationFields: 1,
    });

    const result = await graphql(twoCreates);

    expect(toRetryable(result)).toEqual({ '': true });
    expect(stored).toEqual([]);
  });

  it('is not retryable when the Study API goes away after the first write', async () => {
    const api = await createLateApi((response) => {
      api.stop();
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(wholeStudy));
    });
    api.start();
    const { graphql } = await startTestGateway({ ...options, studyApiUrl: api.url });

    const result = await graphql(twoCreates);

    expect(toRetryable(result)).toEqual({ b: false });
    expect(api.arrived).toHaveLength(1);
  });

  it('is not retryable when the Study API comes back before the last write', async () => {
    const api = await createLateApi();
    // A call is tried three times.
    watchRefusals(api.url, (count) => void (count === 3 && api.start()));
    const { graphql } = await startTestGateway({ ...options, studyApiUrl: api.url });

    const result = await graphql(twoCreates);

    expect(toRetryable(result)).toEqual({ a: false });
    expect(api.arrived).toHaveLength(1);
  });

  it('is retryable when the Study API is away all the time', async () => {
    const { url } = await createLateApi();
    const { graphql } = await startTestGateway({ ...options, studyApiUrl: url });

    expect(toRetryable(await graphql(twoCreates))).toEqual({ a: true, b: true });
  });

  it('is retryable when the circuit is open, unless it opened after the first write', async () => {
    const fail = (): Promise<unknown> => gateway.graphql(`mutation { ${toCreate('fail')} }`);
    const gateway: TestGateway = await startTestGateway({
      ...options,
      api: (...call) => {
        if (call[1].body.includes('fail')) return answerJson({}, 503)(...call);
        // The circuit opens when 20 calls have failed.
        return void Promise.all(Array.from({ length: 20 }, fail)).then(() => answerStudy(...call));
      },
    });

    const first = await gateway.graphql(twoCreates);
    const second = await gateway.graphql(twoCreates);

    expect(toRetryable(first)).toEqual({ b: false });
    expect(toRetryable(second)).toEqual({ a: true, b: true });
    expect(gateway.calls.filter(({ body }) => !body.includes('fail'))).toHaveLength(1);
  });

  it('is retryable when all calls that are allowed are under way', async () => {
    const api = await startHoldingApi();
    const { graphql } = await startTestGateway({
      ...options,
      studyApiUrl: api.url,
      maxCalls: 1,
      maxQueue: 0,
    });
    const held = graphql(`mutation { ${toCreate('held')} }`);
    await api.holds(1);

    const result = await graphql(twoCreates);
    api.answerNext();
    await held;

    expect(toRetryable(result)).toEqual({ a: true, b: true });
    expect(api.arrived).toHaveLength(1);
  });
});
