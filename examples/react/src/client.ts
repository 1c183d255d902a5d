import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
import { throwError } from 'rxjs';
import { retryIfSafe, retryLostWrites, studyTypePolicies } from 'study-gateway-client';
import { waitForRetry } from './retry-wait.ts';
import { readToken } from './token.ts';

/** Maximum number of attempts: the first attempt and two retries. */
const MAX_ATTEMPTS = 3;

export function createClient(uri: string): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([
      // Never retries a write that may have been stored: without a key, a lost answer would cause a second study.
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
      new SetContextLink(({ headers }) => ({
        headers: { ...headers, authorization: `Bearer ${readToken()}` },
      })),
      // Sends a write with its key again when the connection fails for a moment.
      new HttpLink({ uri, fetch: retryLostWrites(fetch) }),
    ]),
    cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
  });
}
