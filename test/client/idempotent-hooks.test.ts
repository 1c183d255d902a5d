import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { newIdempotencyKey } from 'study-gateway-client';
import { useCreateStudyMutation } from 'study-gateway-client/react';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { cut, pass, startHop, type Hop } from './hop.fixture.js';

type Create = ReturnType<typeof useCreateStudyMutation>;

/** The hook in a page in front of a gateway whose answers go by `hop`, and the keys of all calls. */
async function openHook(
  options: { readonly idempotent?: boolean },
  hops: readonly Hop[] = [],
  api: Respond = answerJson(wholeStudy),
) {
  const left = [...hops];
  const { url, calls } = await startHop((...args) => (left.shift() ?? pass)(...args), { api });
  const keys: unknown[] = [];
  const client = new ApolloClient({
    link: ApolloLink.from([
      new ApolloLink((operation, forward) => {
        keys.push(operation.variables['idempotencyKey']);
        return forward(operation);
      }),
      new HttpLink({ uri: `${url}/graphql`, headers: { authorization: 'Bearer token' } }),
    ]),
    cache: new InMemoryCache(),
  });
  let hook: Create | undefined;
  function Page() {
    hook = useCreateStudyMutation(options);
    return null;
  }
  renderToString(createElement(ApolloProvider, { client, children: createElement(Page) }));
  const [create, { reset }] = hook!;
  /** Creates a study; `undefined` when that fails. */
  const send = (variables: Parameters<Create[0]>[0]['variables']) =>
    create({ variables }).then(
      ({ data }) => data?.createStudy?.id,
      () => undefined,
    );
  return { send, reset, keys, calls };
}

const first = { input: { description: 'Why?', progress: { total: 1, failed: 0 } } };
/** Equal to `first`, in another order. */
const again = { input: { progress: { failed: 0, total: 1 }, description: 'Why?' } };
const other = { input: { description: 'When?' } };

it('sends the same key for the same variables after a lost answer, which stores one study', async () => {
  const { send, keys, calls } = await openHook({ idempotent: true }, [cut]);

  expect(await send(first)).toBeUndefined();
  expect(await send(again)).toBe(wholeStudy.id);

  expect(keys).toEqual([
    expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
    keys[0],
  ]);
  expect(calls).toHaveLength(1);
});

it.for([
  { answer: 'a study', api: answerJson(wholeStudy) },
  { answer: 'REJECTED', api: answerJson({ detail: 'No.' }, 422) },
  { answer: 'APPLIED', api: answerJson({ ...wholeStudy, files: null }) },
])('sends a new key for the same variables after $answer', async ({ api }) => {
  const { send, keys, calls } = await openHook({ idempotent: true }, [], api);

  await send(first);
  await send(first);

  expect(new Set(keys).size).toBe(2);
  expect(calls).toHaveLength(2);
});

it('keeps a key beside that of other variables', async () => {
  const { send, keys } = await openHook({ idempotent: true }, [cut, cut]);

  await send(first);
  await send(other);
  await send(first);

  expect(keys[2]).toBe(keys[0]);
  expect(keys[1]).not.toBe(keys[0]);
});

it('stores one study of a double click', async () => {
  const { send, keys, calls } = await openHook({ idempotent: true });

  const ids = await Promise.all([send(first), send(first)]);

  expect(ids).toEqual([wholeStudy.id, wholeStudy.id]);
  expect(keys[1]).toBe(keys[0]);
  expect(calls).toHaveLength(1);
});

it('sends a new key after reset', async () => {
  const { send, reset, keys, calls } = await openHook({ idempotent: true }, [cut]);

  await send(first);
  reset();
  await send(first);

  expect(keys[1]).not.toBe(keys[0]);
  expect(calls).toHaveLength(2);
});

it('sends a key that it is given, and none where it is not asked to', async () => {
  const idempotencyKey = newIdempotencyKey();
  const own = await openHook({ idempotent: true });
  const without = await openHook({});

  await own.send({ ...first, idempotencyKey });
  await without.send(first);

  expect([...own.keys, ...without.keys]).toEqual([idempotencyKey, undefined]);
});
