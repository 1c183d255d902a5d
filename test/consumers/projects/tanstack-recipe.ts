// The recipe examples/recipes/studies.queries.ts: prints a study, the pages of the list, and the studies that a page shows.
import { QueryClient } from '@tanstack/react-query';
import { GraphQLClient } from 'graphql-request';
import { CreateStudyDocument } from 'study-gateway-client';
import { studiesOptions, studyOptions } from './studies.queries.js';

const [, , url = ''] = process.argv;

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
// As many pages as there are.
const list = await queryClient.fetchInfiniteQuery({ ...options, pages: 10 });
// @ts-expect-error: the key knows what it holds, so the types are there
queryClient.setQueryData(options.queryKey, 'studies');

console.log(
  JSON.stringify({
    study: study?.description,
    pages: list.pages.map((page) => page?.items?.map((item) => item?.description)),
    studies: options.select?.(list).map((item) => item?.description),
  }),
);
