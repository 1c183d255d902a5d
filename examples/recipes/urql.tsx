import { retryExchange } from '@urql/exchange-retry';
import { useSyncExternalStore, type ReactNode } from 'react';
import {
  CreateStudyDocument,
  IdempotencyKeys,
  retryIfSafe,
  retryLostWrites,
} from 'study-gateway-client';
import { cacheExchange, Client, fetchExchange, Provider, useMutation } from 'urql';

// Replace both: the address of /graphql, and where the user's token is.
const url = '/graphql';
const readToken = () => sessionStorage.getItem('token') ?? '';

const keys = new IdempotencyKeys('new study');

const client = new Client({
  url,
  fetch: retryLostWrites(fetch),
  exchanges: [
    cacheExchange,
    retryExchange({
      initialDelayMs: 300,
      maxNumberAttempts: 3,
      retryIf: retryIfSafe,
    }),
    fetchExchange,
  ],
  fetchOptions: () => ({ headers: { authorization: `Bearer ${readToken()}` } }),
});

export function StudyProvider({ children }: { children: ReactNode }) {
  return <Provider value={client}>{children}</Provider>;
}

export function CreateStudy() {
  const [{ fetching }, create] = useMutation(CreateStudyDocument);
  const unsettled = useSyncExternalStore(keys.subscribe, keys.unsettled);
  const send = () => void keys.send({ input: { description: 'Why?' } }, (keyed) => create(keyed));
  const write = unsettled.find(({ next }) => next === 'look');
  if (!write) return <button disabled={fetching} onClick={send} />;
  return (
    <>
      <a href="/studies">Look whether it is stored</a>
      <button onClick={() => (write.forget(), send())}>It is not: send it as a new one</button>
      <button onClick={write.forget}>It is</button>
    </>
  );
}
