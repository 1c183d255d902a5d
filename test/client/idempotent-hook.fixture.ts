import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { IdempotencyKeys, KeyStorage } from 'study-gateway-client';
import { useCreateStudyMutation } from 'study-gateway-client/react';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { pass, startHop, type Hop } from './hop.fixture.js';

type Create = ReturnType<typeof useCreateStudyMutation>;

interface Options {
  readonly idempotent?: boolean | IdempotencyKeys;
}

/** A gateway whose answers go by `hops`, one after the other; `open` opens a page with the hook. */
export async function startPages(hops: readonly Hop[] = [], api: Respond = answerJson(wholeStudy)) {
  const left = [...hops];
  const { url, calls } = await startHop((...args) => (left.shift() ?? pass)(...args), { api });
  const keys: unknown[] = [];
  const open = (options: Options) => {
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
    return { send, reset };
  };
  return { open, keys, calls };
}

/** The hook in one page, and the keys of all calls. */
export async function openHook(options: Options, hops?: readonly Hop[], api?: Respond) {
  const { open, ...others } = await startPages(hops, api);
  return { ...open(options), ...others };
}

/** A storage like that of a browser: its names are properties of its own. */
export function createStorage(): KeyStorage {
  const methods: KeyStorage & ThisType<Record<string, string>> = {
    getItem(name) {
      return this[name] ?? null;
    },
    setItem(name, value) {
      this[name] = value;
    },
    removeItem(name) {
      delete this[name];
    },
  };
  return Object.create(methods) as KeyStorage;
}
