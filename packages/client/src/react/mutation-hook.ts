import type { OperationVariables } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { IdempotencyKeys, type UnsettledWrite } from '../idempotency-keys.js';
import { requireApollo4 } from './apollo-4.js';
import type { MutationHook, Policy } from './hook-types.js';

/** The part of Apollo's `mutate` that matters here, without the types that depend on the operation. */
type Mutate = (options?: {
  readonly variables?: OperationVariables;
}) => Promise<{ readonly data?: object | null | undefined; readonly error?: unknown }>;

interface Options {
  readonly idempotent?: boolean | IdempotencyKeys;
  readonly variables?: OperationVariables;
}

/**
 * Makes a hook that calls `useMutation` with this error policy, and has the option `idempotent`.
 *
 * @param form name of the idempotency keys that the hook makes
 */
export function createMutationHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
>(
  form: string,
  document: TypedDocumentNode<Data, Variables>,
  errorPolicy: ErrorPolicy,
): MutationHook<Data, Variables, ErrorPolicy> {
  function useOperation({ idempotent = false, ...options }: Options = {}) {
    const [mutate, result] = useMutation<object>(document, {
      ...options,
      errorPolicy,
    });
    requireApollo4(result);
    const mutateOrReject = useCallback<Mutate>((call) => rejectIfEmpty(mutate(call)), [mutate]);
    const [own] = useState(() => new IdempotencyKeys(form));
    const keys = idempotent === true ? own : idempotent || undefined;
    const mutateOnce = useKeys(mutateOrReject, keys, options.variables);
    const unsettled = useSyncExternalStore(own.subscribe, keys?.unsettled ?? toNone, toNone);
    return [mutateOnce, { ...result, unsettled }];
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve Apollo's types before those of the operation are known
  return useOperation as unknown as MutationHook<Data, Variables, ErrorPolicy>;
}

const none: readonly UnsettledWrite[] = [];
const toNone = () => none;

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

/** Wraps `mutate` so that each call has an idempotency key of `keys`. The returned function changes with `keys` alone, like Apollo's. */
function useKeys(
  mutate: Mutate,
  keys: IdempotencyKeys | undefined,
  configured: OperationVariables = {},
): Mutate {
  const latest = useRef(configured);
  useEffect(() => {
    latest.current = configured;
  });
  return useCallback<Mutate>(
    (options) => {
      if (!keys) return mutate(options);
      const variables: OperationVariables = { ...latest.current, ...options?.variables };
      const send = (keyed: OperationVariables) => mutate({ ...options, variables: keyed });
      const hasKey = typeof variables.idempotencyKey === 'string';
      return hasKey ? send(variables) : keys.send(variables, send);
    },
    [mutate, keys],
  );
}
