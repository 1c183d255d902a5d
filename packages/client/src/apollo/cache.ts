import type { ApolloCache, FieldFunctionOptions, Reference } from '@apollo/client';
import type { ModifierDetails } from '@apollo/client/cache';
import type { StudiesQueryVariables } from '../generated/operations.js';

/** A study in the cache; `null` in place of a study that could not be read. */
type Item = Reference | null;

/** A page as Apollo wrote it to the cache, with the fields that its operation selects. */
interface Page {
  readonly items?: readonly Item[] | null | undefined;
  readonly page?: number | null | undefined;
  readonly total?: number | null | undefined;
}

/** The pages of one list, by number; `null` for a page that was asked for and never read. */
type List = Readonly<Record<number, Page | null>>;

type Tools = FieldFunctionOptions<StudiesQueryVariables>;

/**
 * Type policies for the InMemoryCache of Apollo Client: `new InMemoryCache({ typePolicies: studyTypePolicies })`.
 *
 * A query of `studies` without `page` shows every page loaded so far, from the first one to the first gap, and each study
 * once; `fetchMore({ variables: { page: 2 } })` adds a page. A query with `page` shows that page alone. Lists with other
 * arguments `projectId` or `size` are kept apart. A page that comes back with other studies removes the pages after it, and
 * a page that could not be read changes nothing. Change a list with `addStudy` or `evictStudies` only: `updateQuery` and
 * `cache.modify` do not know the pages.
 */
export const studyTypePolicies = {
  Query: {
    fields: {
      studies: { keyArgs: ['projectId', 'size'], merge: addPage, read: readList },
    },
  },
};

/**
 * Removes the lists of studies from Apollo's cache, for `update` of a mutation that creates a study or gives one another
 * project: only the Study API knows the place of a study in a list. Lists on the screen read their first page again.
 */
export function evictStudies(cache: ApolloCache): void {
  cache.evict({ fieldName: 'studies' });
}

/**
 * Puts a new study first in the cached lists of all projects, and removes those of single projects, which lists on the screen
 * read again: for `update` of a mutation that creates a study. Works with an optimistic response too. The Study API may list
 * the study elsewhere: `evictStudies` asks for the order.
 */
export function addStudy(
  cache: ApolloCache,
  { data }: { readonly data?: { readonly createStudy: { readonly id: string } | null } | null },
): void {
  const id = data?.createStudy?.id;
  if (id === undefined) return;
  const studies = (list: List, details: ModifierDetails): unknown => {
    const study = details.toReference({ __typename: 'Study', id });
    if (/"projectId":(?!null)/.test(details.storeFieldName)) return details.DELETE;
    if (!study || !list[1]) return list;
    // The list was read after the write: it has the study, and counts it.
    if (list[1].items?.some((item) => item && details.readField('id', item) === id)) return list;
    const counted = Object.entries(list).map(([number, page]) => [
      number,
      typeof page?.total === 'number' ? { ...page, total: page.total + 1 } : page,
    ]);
    const pages: List = Object.fromEntries(counted);
    return { ...pages, 1: { ...pages[1], items: [study, ...(list[1].items ?? [])] } };
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo's types of modifiers do not fit what a policy stores
  cache.modify({ fields: { studies } } as never);
}

function addPage(list: List = {}, page: Page | null, { args, readField }: Tools): List {
  const number = args?.page ?? 1;
  const before = list[number];
  if (!page) return { ...list, [number]: before ?? null };
  const toIds = (of: Page) =>
    JSON.stringify(of.items?.map((item) => item && readField('id', item)));
  const isMoved = page.items && before?.items && toIds(page) !== toIds(before);
  const kept = Object.entries(list).filter(([other]) => !isMoved || Number(other) < number);
  return { ...Object.fromEntries(kept), [number]: { ...before, ...page } };
}

function readList(list: List | undefined, { args, readField }: Tools): Page | null | undefined {
  if (typeof args?.page === 'number') return list?.[args.page];
  const pages: Page[] = [];
  for (let page = list?.[1]; page; page = list?.[pages.length + 1]) pages.push(page);
  const last = pages.at(-1);
  if (!last) return list?.[1];
  // A page may have been read without its items.
  if (pages.some(({ items }) => items === undefined)) return { ...last, items: undefined };
  const items = pages.flatMap((page) => page.items ?? []);
  const ids = items.map((item) => item && readField('id', item));
  return {
    ...last,
    items: items.filter((_, index) => !ids[index] || ids.indexOf(ids[index]) === index),
  };
}
