import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { GraphQLClient } from 'graphql-request';
import { StudiesDocument, StudyDocument } from 'study-gateway-client';

export function studyOptions(client: GraphQLClient, id: string) {
  return queryOptions({
    queryKey: ['study', id],
    queryFn: async ({ signal }) => {
      const { study } = await client.request({
        document: StudyDocument,
        variables: { id },
        signal,
      });
      return study;
    },
  });
}

export function studiesOptions(client: GraphQLClient, size = 20) {
  return infiniteQueryOptions({
    queryKey: ['studies', size],
    queryFn: async ({ pageParam: page, signal }) => {
      const variables = { page, size };
      const { studies } = await client.request({ document: StudiesDocument, variables, signal });
      return studies;
    },
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => {
      // `pages` is null where the Study API does not count.
      const hasMore = last?.pages ? page < last.pages : last?.items?.length === size;
      return hasMore ? page + 1 : undefined;
    },
    // Each study once, though one may have moved to the next page meanwhile.
    select: ({ pages }) => {
      const items = pages.flatMap((page) => page?.items ?? []);
      return [...new Map(items.map((study) => [study?.id, study])).values()];
    },
  });
}
