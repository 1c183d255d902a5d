// The recipe of docs/frontend.md: prints a study, the pages of the list, and the studies that a page shows.
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { GraphQLClient } from 'graphql-request';
import { CreateStudyDocument } from 'study-gateway-client';
import { url } from './report.js';
import { studiesOptions, studyOptions } from './studies.queries.js';

const client = new GraphQLClient(url, { headers: { authorization: 'Bearer demo-token' } });
const queryClient = new QueryClient();

const ids: string[] = [];
for (let number = 1; number <= 5; number++) {
  const input = { description: `Study ${number}` };
  const { createStudy } = await client.request(CreateStudyDocument, { input });
  ids.push(createStudy?.id ?? '');
}

const study = await queryClient.fetchQuery(studyOptions(client, ids[0] ?? ''));
const options = studiesOptions(client, 2);
const list = new InfiniteQueryObserver(queryClient, options);
let result = await list.refetch();
while (result.hasNextPage) result = await list.fetchNextPage();
const pages = queryClient.getQueryData(options.queryKey)?.pages;
// @ts-expect-error: the key knows what it holds, so the types are there
queryClient.setQueryData(options.queryKey, 'studies');

console.log(
  JSON.stringify({
    study: study?.description,
    pages: pages?.map((page) => page?.items?.map((item) => item?.description)),
    studies: result.data?.map((item) => item?.description),
  }),
);
