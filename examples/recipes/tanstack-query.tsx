import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { GraphQLClient } from 'graphql-request';
import type { ReactNode } from 'react';
import {
  CreateStudyDocument,
  retryIfSafe,
  safeWrites,
  studyProblem,
  type CreateStudyMutationVariables,
} from 'study-gateway-client';

// Replace these: the address of /graphql, the user's token, and the user's id.
const url = 'http://127.0.0.1:4000/graphql';
const readToken = () => sessionStorage.getItem('token') ?? 'demo-token';
const readUserId = () => 'ada';

const headers = () => ({ authorization: `Bearer ${readToken()}` });
const safe = safeWrites({ fetch, url, headers, owner: readUserId });

/** For `useUnsettledWrites`, as in the README of the package. */
export const { unsettledWrites } = safe;

const toRetries = (operation: { operationType: string }) => ({
  retry: (count: number, error: Error) => count < 2 && retryIfSafe(error, operation),
  retryDelay: (_: number, error: Error) => 1000 * (studyProblem(error).retryAfterSeconds ?? 1),
});

const queryClient = new QueryClient({
  defaultOptions: {
    queries: toRetries({ operationType: 'query' }),
    mutations: toRetries({ operationType: 'mutation' }),
  },
});
const client = new GraphQLClient(url, { fetch: safe.fetch, headers });

export function StudyProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

export function CreateStudy() {
  const { mutate, data, isPending } = useMutation({
    mutationFn: (variables: CreateStudyMutationVariables) =>
      client.request(CreateStudyDocument, variables),
  });
  const send = () => mutate({ input: { description: 'Why?' } });
  return (
    <button disabled={isPending} onClick={send}>
      {data?.createStudy?.id ?? 'Create'}
    </button>
  );
}
