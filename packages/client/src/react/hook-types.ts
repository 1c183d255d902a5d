import type * as apollo from '@apollo/client';
import type { OperationVariables } from '@apollo/client';
import type {
  SkipToken,
  useLazyQuery,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@apollo/client/react';
import type { IdempotencyKeys, UnsettledWrite } from '../idempotency-keys.js';

/** The type of a hook; beside Apollo Client 3, which lacks this class, one that says why it cannot be called. */
type WithApollo4<Hook> = typeof apollo extends { readonly CombinedGraphQLErrors: object }
  ? Hook
  : { readonly error: 'study-gateway-client/react needs Apollo Client 4' };

/** `all` gives what arrived beside the errors; `none` throws everything away that came with an error. */
export type Policy = 'all' | 'none';

/** A hook sets the error policy: with another policy its types would be wrong. */
interface Fixed<ErrorPolicy extends Policy> {
  readonly errorPolicy?: ErrorPolicy;
}

interface Read<ErrorPolicy extends Policy> extends Fixed<ErrorPolicy> {
  readonly returnPartialData?: false;
}

type Complete = 'complete' | 'streaming';

/** Options of a hook are optional when the operation needs no variable. */
type Optional<Options, Variables> = object extends Variables
  ? [options?: Options]
  : [options: Options];

export type QueryHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
> = WithApollo4<
  (
    ...args: Optional<
      SkipToken | (useQuery.Options<Data, Variables> & Read<ErrorPolicy>),
      Variables
    >
  ) => useQuery.Result<Data, Variables, Complete | 'empty', Partial<Variables>>
>;

export type LazyQueryHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
> = WithApollo4<
  (
    options?: useLazyQuery.Options<Data, Variables> & Read<ErrorPolicy>,
  ) => useLazyQuery.ResultTuple<Data, Variables, Complete | 'empty'>
>;

/** Without `skip`, which would take `data` away: leave the component out instead. With `all`, a failed read has no `data`. */
export type SuspenseQueryHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
> = WithApollo4<
  (
    ...args: Optional<
      useSuspenseQuery.Options<Variables> & Read<ErrorPolicy> & { readonly skip?: false },
      Variables
    >
  ) => useSuspenseQuery.Result<
    Data,
    Variables,
    Complete | (ErrorPolicy extends 'all' ? 'empty' : never)
  >
>;

export type MutationHook<
  Data,
  Variables extends OperationVariables,
  ErrorPolicy extends Policy,
> = WithApollo4<
  <Configured extends Partial<Variables> = object>(
    options?: MutationOptions<Data, Variables, Configured> & Fixed<ErrorPolicy>,
  ) => MutationTuple<Data, Variables, Configured, ErrorPolicy>
>;

/** Options of a mutation hook. `Configured` is the type of the variables among them. */
type MutationOptions<
  Data,
  Variables extends OperationVariables,
  Configured extends Partial<Variables> = Partial<Variables>,
> = Omit<useMutation.Options<Data, Variables>, 'variables' | 'errorPolicy'> & {
  /** Variables for every call. The returned function asks for the others, and may replace these. */
  readonly variables?:
    | (Partial<Variables> & {
        [Name in keyof Configured]: Name extends keyof Variables ? Configured[Name] : never;
      })
    | undefined;
  /**
   * Sends an idempotency key with every call that has none. Calls with the same variables share a key until an answer
   * tells what became of the write, in all components, pages and tabs; a repeat after a lost answer is therefore stored
   * once. `unsettled` of the result has the writes whose outcome is not known. Pass `IdempotencyKeys` to name the form.
   */
  readonly idempotent?: boolean | IdempotencyKeys | undefined;
};

/** Names of the properties that are not optional. */
type Given<Configured> = {
  [Name in keyof Configured]-?: object extends Pick<Configured, Name> ? never : Name;
}[keyof Configured];

/** The variables that the returned function takes: optional where the options of the hook give one. */
type Remaining<Variables, Configured> = Omit<Variables, Given<Configured>> &
  Partial<Pick<Variables, Given<Configured> & keyof Variables>>;

type MutateOptions<Data, Variables extends OperationVariables, ErrorPolicy extends Policy> = Omit<
  useMutation.MutationFunctionOptions<Data, Variables>,
  'variables' | 'errorPolicy'
> &
  Fixed<ErrorPolicy>;

type MutateArguments<Options, Variables> = object extends Variables
  ? [options?: Options & { readonly variables?: Variables }]
  : [options: Options & { readonly variables: Variables }];

type Tuple<Data, Variables extends OperationVariables> = useMutation.ResultTuple<Data, Variables>;

type MutationTuple<
  Data,
  Variables extends OperationVariables,
  Configured,
  ErrorPolicy extends Policy,
> = [
  mutate: (
    ...args: MutateArguments<
      MutateOptions<Data, Remaining<Variables, Configured>, ErrorPolicy>,
      Remaining<Variables, Configured>
    >
  ) => ReturnType<Tuple<Data, Variables>[0]>,
  result: Tuple<Data, Variables>[1] & {
    /** Writes of the form whose outcome nobody has told, without those that this hook is sending. Empty without `idempotent`. */
    readonly unsettled: readonly UnsettledWrite[];
  },
];
