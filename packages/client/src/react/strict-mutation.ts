import type { OperationVariables } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { IdempotencyKeys } from '../idempotency-keys.js';
import type * as Strict from './strict-types.js';

/** The part of Apollo's `mutate` that matters here, without the types that depend on the operation. */
type Mutate = (options: {
  readonly variables: OperationVariables;
}) => Promise<{ readonly error?: unknown }>;

/** Calls `useMutation` with strict types and the error policy `none`; adds the option `idempotent`. */
export function useStrictMutation<
  Data,
  Variables extends OperationVariables,
  Configured extends Partial<Variables>,
>(
  document: TypedDocumentNode<Data, Variables>,
  options: Strict.MutationOptions<Data, Variables, Configured> = {},
): Strict.MutationTuple<Data, Variables, Configured> {
  const { idempotent = false, ...others } = options;
  const [mutate, result] = useMutation(document, { ...others, errorPolicy: 'none' } as object);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve Apollo's types before those of the operation are known
  const [mutateOnce, clear] = useKeys(mutate as unknown as Mutate, others.variables);
  const { reset } = result;
  const resetKeys = useCallback(() => {
    clear();
    reset();
  }, [clear, reset]);
  const tuple = idempotent ? [mutateOnce, { ...result, reset: resetKeys }] : [mutate, result];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same
  return tuple as unknown as Strict.MutationTuple<Data, Variables, Configured>;
}

/** Wraps `mutate` so that each call has an idempotency key. Neither returned function ever changes, like Apollo's. */
function useKeys(mutate: Mutate, configured: OperationVariables = {}) {
  const [keys] = useState(() => new IdempotencyKeys());
  const latest = useRef(configured);
  useEffect(() => {
    latest.current = configured;
  });
  const mutateOnce = useCallback(
    (options?: Parameters<Mutate>[0]): ReturnType<Mutate> => {
      const variables = { ...latest.current, ...options?.variables };
      if (typeof variables['idempotencyKey'] === 'string') return mutate({ ...options, variables });
      const idempotencyKey = keys.take(variables);
      const call = mutate({ ...options, variables: { ...variables, idempotencyKey } });
      const settle = (error: unknown) => keys.settle(variables, idempotencyKey, error);
      void call.then(({ error }) => settle(error), settle);
      // Not the promise of `then`: Apollo keeps this one from being reported as unhandled.
      return call;
    },
    [mutate, keys],
  );
  const clear = useCallback(() => keys.clear(), [keys]);
  return [mutateOnce, clear] as const;
}
