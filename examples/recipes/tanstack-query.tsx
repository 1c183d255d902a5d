import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { GraphQLClient } from 'graphql-request';
import { useSyncExternalStore, type ReactNode } from 'react';
import {
  CreateStudyDocument,
  IdempotencyKeys,
  retryDelay,
  retryIfSafe,
  retryLostWrites,
  type CreateStudyMutationVariables,
} from 'study-gateway-client';

// Replace both: the address of /graphql, and where the user's token is.
const url = '/graphql';
const readToken = () => sessionStorage.getItem('token') ?? '';

const keys = new IdempotencyKeys('new study');

const toRetries = (operation: { operationType: string }) => ({
  retry: (count: number, error: Error) => count < 2 && retryIfSafe(error, operation),
  retryDelay: (count: number, error: Error) => retryDelay(count + 1, operation, error),
});

const queryClient = new QueryClient({
  defaultOptions: {
    queries: toRetries({ operationType: 'query' }),
    mutations: toRetries({ operationType: 'mutation' }),
  },
});
const client = new GraphQLClient(url, {
  fetch: retryLostWrites(fetch),
  headers: () => ({ authorization: `Bearer ${readToken()}` }),
});

export function StudyProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

export function CreateStudy() {
  const { mutate, isPending } = useMutation({
    mutationFn: (variables: CreateStudyMutationVariables) =>
      keys.send(variables, (keyed) => client.request(CreateStudyDocument, keyed)),
  });
  const unsettled = useSyncExternalStore(keys.subscribe, keys.unsettled);
  const send = () => mutate({ input: { description: 'Why?' } });
  const write = unsettled.find(({ next }) => next === 'look');
  if (!write) return <button disabled={isPending} onClick={send} />;
  return (
    <>
      <a href="/studies">Look whether it is stored</a>
      <button onClick={() => (write.forget(), send())}>It is not: send it as a new one</button>
      <button onClick={write.forget}>It is</button>
    </>
  );
}
