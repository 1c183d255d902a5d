import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
import { throwError } from 'rxjs';
import { retryIfSafe } from 'study-gateway-client';
import { waitForRetry } from './retry-wait.ts';
import { readToken } from './token.ts';

/** The first attempt and two retries. */
const MAX_ATTEMPTS = 3;

export function createClient(uri: string): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([
      // Retries what has done nothing yet, and nothing else: a lost answer never makes two studies.
      new RetryLink({
        attempts: (count, operation, error) =>
          count < MAX_ATTEMPTS &&
          retryIfSafe(error, operation) &&
          waitForRetry(count, operation, error),
        // The wait is in `attempts`, where it is shown and can be cancelled.
        delay: () => 0,
      }),
      // RetryLink sees only what is thrown, and the errors of an answer are not.
      new ErrorLink(({ error, operation }) =>
        retryIfSafe(error, operation) ? throwError(() => error) : undefined,
      ),
      new SetContextLink(({ headers }) => ({
        headers: { ...headers, authorization: `Bearer ${readToken()}` },
      })),
      new HttpLink({ uri }),
    ]),
    cache: new InMemoryCache({
      typePolicies: {
        Query: {
          fields: {
            // A study that was just created is in the cache: its page need not read it again.
            study: {
              read: (known, { args, toReference }) =>
                known === undefined ? toReference({ __typename: 'Study', id: args?.id }) : known,
            },
          },
        },
      },
    }),
  });
}
