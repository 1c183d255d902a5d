import type { OperationVariables } from '@apollo/client';
import type {
  SkipToken,
  useLazyQuery,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@apollo/client/react';

/** The error policy that strict types need: with any other policy, Apollo Client could return data with errors. */
interface NoPartialData {
  readonly errorPolicy?: 'none';
}

interface NoPartialRead extends NoPartialData {
  readonly returnPartialData?: false;
}

type Complete = 'empty' | 'complete' | 'streaming';

export type QueryOptions<Data, Variables extends OperationVariables> =
  SkipToken | (useQuery.Options<Data, Variables> & NoPartialRead);

export type QueryResult<Data, Variables extends OperationVariables> = useQuery.Result<
  Data,
  Variables,
  Complete,
  Partial<Variables>
>;

export type LazyQueryOptions<Data, Variables extends OperationVariables> = useLazyQuery.Options<
  Data,
  Variables
> &
  NoPartialRead;

export type LazyQueryTuple<Data, Variables extends OperationVariables> = useLazyQuery.ResultTuple<
  Data,
  Variables,
  Complete
>;

/** Without `skip`, which would take `data` away: leave the component out instead. */
export type SuspenseQueryOptions<Variables extends OperationVariables> =
  useSuspenseQuery.Options<Variables> & NoPartialRead & { readonly skip?: false };

export type SuspenseQueryResult<
  Data,
  Variables extends OperationVariables,
> = useSuspenseQuery.Result<Data, Variables, 'complete' | 'streaming'>;

/** Options of a mutation hook. `Configured` is the type of the variables among them. */
export type MutationOptions<
  Data,
  Variables extends OperationVariables,
  Configured extends Partial<Variables> = Partial<Variables>,
> = Omit<useMutation.Options<Data, Variables>, 'variables' | 'errorPolicy'> &
  NoPartialData & {
    /** Variables for every call. The returned function asks for the others, and may replace these. */
    readonly variables?:
      | (Partial<Variables> & {
          [Name in keyof Configured]: Name extends keyof Variables ? Configured[Name] : never;
        })
      | undefined;
    /**
     * Sends an idempotency key with every call that has none. Calls with the same variables share a key until an answer
     * tells what became of the write; a repeat after a lost answer is therefore stored once. `reset` forgets the keys.
     */
    readonly idempotent?: boolean | undefined;
  };

/** Names of the properties that are not optional. */
type Given<Configured> = {
  [Name in keyof Configured]-?: object extends Pick<Configured, Name> ? never : Name;
}[keyof Configured];

/** The variables that the returned function takes: optional where the options of the hook give one. */
type Remaining<Variables, Configured> = Omit<Variables, Given<Configured>> &
  Partial<Pick<Variables, Given<Configured> & keyof Variables>>;

type MutateOptions<Data, Variables extends OperationVariables> = Omit<
  useMutation.MutationFunctionOptions<Data, Variables>,
  'variables' | 'errorPolicy'
> &
  NoPartialData;

type MutateArguments<Data, Variables extends OperationVariables> = object extends Variables
  ? [options?: MutateOptions<Data, Variables> & { readonly variables?: Variables }]
  : [options: MutateOptions<Data, Variables> & { readonly variables: Variables }];

type Tuple<Data, Variables extends OperationVariables> = useMutation.ResultTuple<Data, Variables>;

export type MutationTuple<Data, Variables extends OperationVariables, Configured = object> = [
  mutate: (
    ...args: MutateArguments<Data, Remaining<Variables, Configured>>
  ) => ReturnType<Tuple<Data, Variables>[0]>,
  result: Tuple<Data, Variables>[1],
];
