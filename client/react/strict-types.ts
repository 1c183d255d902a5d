import type { OperationVariables } from '@apollo/client';
import type { SkipToken, useMutation, useQuery } from '@apollo/client/react';

/** The error policy that strict types need: with any other policy, Apollo Client could return data with errors. */
interface NoPartialData {
  readonly errorPolicy?: 'none';
}

export type StrictQueryOptions<Data, Variables extends OperationVariables> =
  | SkipToken
  | (useQuery.Options<Data, Variables> & NoPartialData & { readonly returnPartialData?: false });

export type StrictQueryResult<Data, Variables extends OperationVariables> = useQuery.Result<
  Data,
  Variables,
  'empty' | 'complete' | 'streaming',
  Partial<Variables>
>;

export type StrictMutationOptions<Data, Variables extends OperationVariables> = Omit<
  useMutation.Options<Data, Variables>,
  'variables' | 'errorPolicy'
> &
  NoPartialData;

type Tuple<Data, Variables extends OperationVariables> = useMutation.ResultTuple<Data, Variables>;
type Mutate<Data, Variables extends OperationVariables> = Tuple<Data, Variables>[0];

export type StrictMutationTuple<Data, Variables extends OperationVariables> = [
  mutate: (
    options: Parameters<Mutate<Data, Variables>>[0] & NoPartialData,
  ) => ReturnType<Mutate<Data, Variables>>,
  result: Tuple<Data, Variables>[1],
];
