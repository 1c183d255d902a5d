import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
import { throwError } from 'rxjs';
import { retryIfSafe, safeWrites, studyTypePolicies } from 'study-gateway-client';
import { waitForRetry } from './retry-wait.ts';
import { readToken } from './token.ts';

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all';
      }
      interface Mutate {
        errorPolicy: 'all';
      }
    }
  }
}

/** Maximum number of attempts: the first attempt and two retries. */
const MAX_ATTEMPTS = 3;

const url = import.meta.env.VITE_GATEWAY_URL ?? 'http://127.0.0.1:4000/graphql';
const readHeaders = () => ({ authorization: `Bearer ${readToken()}` });

/** Gives each write a key, repeats it while the connection fails, and keeps what stays unknown. */
const safe = safeWrites({
  fetch: (...request: Parameters<typeof fetch>) => fetch(...request),
  url,
  headers: readHeaders,
  // An app with sign-in returns the id of the user: entries of another user are not shown.
  owner: () => 'demo',
});

export const { unsettledWrites } = safe;

export const client = new ApolloClient({
  link: ApolloLink.from([
    // Never retries a write that may have been stored.
    new RetryLink({
      attempts: (count, operation, error) =>
        count < MAX_ATTEMPTS &&
        retryIfSafe(error, operation) &&
        waitForRetry(count, operation, error),
      // No delay here: `attempts` waits, so that the page can show the wait and users can cancel the retry.
      delay: () => 0,
    }),
    // RetryLink sees only thrown errors, so this link throws retryable errors of a GraphQL response.
    new ErrorLink(({ error, operation }) =>
      retryIfSafe(error, operation) ? throwError(() => error) : undefined,
    ),
    new SetContextLink(({ headers }) => ({ headers: { ...headers, ...readHeaders() } })),
    new HttpLink({ uri: url, fetch: safe.fetch }),
  ]),
  cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
  // One field that cannot be read must not hide the others.
  defaultOptions: { watchQuery: { errorPolicy: 'all' }, mutate: { errorPolicy: 'all' } },
});
