// Links for Apollo Client, above `HttpLink`: what the gateway calls `retryable` is sent again, after the wait that it asks for.
import { ApolloLink } from '@apollo/client';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
import { throwError } from 'rxjs';
import { retryIfSafe, studyProblem } from 'study-gateway-client';

export const retryLink = ApolloLink.from([
  new RetryLink({
    attempts: { max: 3, retryIf: retryIfSafe },
    delay: (_count, _operation, error) => 1000 * (studyProblem(error).retryAfterSeconds ?? 1),
  }),
  // RetryLink sees no GraphQL errors: they must be thrown.
  new ErrorLink(({ error, operation }) =>
    retryIfSafe(error, operation) ? throwError(() => error) : undefined,
  ),
]);
