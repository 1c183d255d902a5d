import type { OperationVariables } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { IdempotencyKeys } from '../idempotency-keys.js';
import type { MutationHook, Policy } from './hook-types.js';

/** The part of Apollo's `mutate` that matters here, without the types that depend on the operation. */
type Mutate = (options?: {
  readonly variables?: OperationVariables;
}) => Promise<{ readonly data?: object | null | undefined; readonly error?: unknown }>;

interface Options {
  readonly idempotent?: boolean;
  readonly variables?: OperationVariables;
}

/** Makes a hook that calls `useMutation` with this error policy, and has the option `idempotent`. */
export function createMutationHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
>(
  document: TypedDocumentNode<Data, Variables>,
  errorPolicy: ErrorPolicy,
): MutationHook<Data, Variables, ErrorPolicy> {
  function useOperation({ idempotent = false, ...options }: Options = {}) {
    const [mutate, result] = useMutation<object>(document, {
      ...options,
      errorPolicy,
    });
    const mutateOrReject = useCallback<Mutate>((call) => rejectIfEmpty(mutate(call)), [mutate]);
    const [mutateOnce, clear] = useKeys(mutateOrReject, options.variables);
    const { reset } = result;
    const resetKeys = useCallback(() => {
      clear();
      reset();
    }, [clear, reset]);
    return idempotent ? [mutateOnce, { ...result, reset: resetKeys }] : [mutateOrReject, result];
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve Apollo's types before those of the operation are known
  return useOperation as unknown as MutationHook<Data, Variables, ErrorPolicy>;
}

/**
 * Rejects when an error left nothing to show, whatever the error policy: who awaits a write must not take its failure for
 * a success.
 */
function rejectIfEmpty(call: ReturnType<Mutate>): ReturnType<Mutate> {
  const checked = call.then((result) => {
    const hasArrived = Object.values(result.data ?? {}).some(Boolean);
    if (result.error !== undefined && !hasArrived) throw result.error;
    return result;
  });
  // As in Apollo, nobody needs to catch this error: the result of the hook has it too.
  checked.catch(() => undefined);
  return checked;
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
