import type { StudiesQueryVariables, StudyQueryVariables } from './generated/operations.js';

// The types below are the parts of Apollo Client's types that are used here: the client imports no library.

interface Reference {
  readonly __ref: string;
}

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

interface CacheTools {
  readonly readField: (fieldName: string, from: Reference) => unknown;
  readonly toReference: (study: {
    __typename: string;
    id: string | undefined;
  }) => Reference | undefined;
}

interface FieldOptions<Arguments> extends CacheTools {
  readonly args: Arguments | null;
}

type ListOptions = FieldOptions<StudiesQueryVariables>;

interface EvictableCache {
  evict(options: { readonly fieldName: string }): boolean;
}

interface ModifiableCache {
  modify(options: never): boolean;
}

interface ListDetails extends CacheTools {
  readonly storeFieldName: string;
  /** Removes the list, when a modifier returns this. */
  readonly DELETE: unknown;
}

/** The result of a mutation that creates a study, as `update` gets it. */
interface Created {
  readonly data?: { readonly createStudy: { readonly id: string } | null } | null | undefined;
}

/**
 * Type policies for the InMemoryCache of Apollo Client: `new InMemoryCache({ typePolicies: studyTypePolicies })`.
 *
 * A query of `studies` without `page` shows every page loaded so far, from the first one to the first gap, and each study
 * once; `fetchMore({ variables: { page: 2 } })` adds a page. A query with `page` shows that page alone. Lists of different
 * projects, or with another `size`, are kept apart; order, repetition and letter case of project ids do not matter. A page
 * that comes back with other studies removes the pages after it, and a page that could not be read changes nothing. Change
 * a list with `addStudy` or `evictStudies` only: `updateQuery` and `cache.modify` do not know the pages.
 *
 * A query of `study` finds a study that a list or a mutation has stored with all fields of the query.
 */
export const studyTypePolicies = {
  Query: {
    fields: {
      studies: { keyArgs: toListName, merge: addPage, read: readList },
      study: { read: readStudy },
    },
  },
};

/**
 * Removes the lists of studies from Apollo's cache, for `update` of a mutation that creates a study or gives one another
 * project: only the Study API knows the place of a study in a list. Lists on the screen read their first page again.
 */
export function evictStudies(cache: EvictableCache): void {
  cache.evict({ fieldName: 'studies' });
}

/**
 * Puts a new study first in each cached list of its project and in each list of all projects, for `update` of a mutation
 * that creates a study. Works with an optimistic response too. The Study API may list the study elsewhere:
 * `evictStudies` asks for the order.
 */
export function addStudy(cache: ModifiableCache, { data }: Created): void {
  const id = data?.createStudy?.id;
  if (id === undefined) return;
  const studies = (list: List, details: ListDetails): unknown => {
    const study = details.toReference({ __typename: 'Study', id });
    if (!study || !list[1]) return list;
    const isStudy = (item: Item): boolean => !!item && details.readField('id', item) === id;
    // Somebody has read the list since: its total counts the study.
    if (Object.values(list).some((page) => page?.items?.some(isStudy))) return list;
    const projectId = details.readField('projectId', study);
    const { projects }: ListName = JSON.parse(details.storeFieldName.slice(LIST_NAME.length));
    if (projects.length > 0) {
      // Nobody knows whether a study of an unknown project belongs to the list.
      if (typeof projectId !== 'string') return details.DELETE;
      if (!projects.includes(projectId.toLowerCase())) return list;
    }
    const pages = Object.entries(list).map(([number, page]) => [number, countOneMore(page)]);
    const first = { ...countOneMore(list[1]), items: [study, ...(list[1].items ?? [])] };
    return { ...Object.fromEntries(pages), 1: first };
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo's types of modifiers do not fit what a policy stores
  cache.modify({ fields: { studies } } as never);
}

function countOneMore(page: Page | null): Page | null {
  return typeof page?.total === 'number' ? { ...page, total: page.total + 1 } : page;
}

const LIST_NAME = 'studies:';

interface ListName {
  readonly size: number | null;
  readonly projects: readonly string[];
}

function toListName(args: StudiesQueryVariables | null): string {
  const { size = null, projectId } = args ?? {};
  const projects = new Set([projectId ?? []].flat().map((id) => id.toLowerCase()));
  // oxlint-disable-next-line unicorn/no-array-sort -- `toSorted` is not in ES2022.
  const name: ListName = { size, projects: [...projects].sort() };
  return LIST_NAME + JSON.stringify(name);
}

function addPage(list: List = {}, page: Page | null, { args, readField }: ListOptions): List {
  const number = args?.page ?? 1;
  const before = list[number];
  if (!page) return { ...list, [number]: before ?? null };
  const isMoved =
    page.items && before?.items?.some((item, index) => !isSame(item, page.items?.[index]));
  const kept = Object.entries(list).filter(([other]) => !isMoved || Number(other) < number);
  return { ...Object.fromEntries(kept), [number]: { ...before, ...page } };

  function isSame(item: Item, other: Item | undefined): boolean {
    // A study that could not be read may be any study.
    if (item === null || other === null) return true;
    return other !== undefined && readField('id', item) === readField('id', other);
  }
}

function readList(
  list: List | undefined,
  { args, readField }: ListOptions,
): Page | null | undefined {
  if (typeof args?.page === 'number') return list?.[args.page];
  const pages: Page[] = [];
  for (let page = list?.[1]; page; page = list?.[pages.length + 1]) pages.push(page);
  const last = pages.at(-1);
  return last ? { ...last, items: joinItems(pages, readField) } : list?.[1];
}

/** The items of all pages, each study once; `undefined` where a page was read without items. */
function joinItems(
  pages: readonly Page[],
  readField: ListOptions['readField'],
): readonly Item[] | undefined {
  if (pages.some(({ items }) => items === undefined)) return undefined;
  const seen = new Set<unknown>();
  return pages
    .flatMap(({ items }) => items ?? [])
    .filter((item) => {
      const id = item && readField('id', item);
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew || !id;
    });
}

function readStudy(
  known: unknown,
  { args, toReference }: FieldOptions<Partial<StudyQueryVariables>>,
): unknown {
  return known === undefined ? toReference({ __typename: 'Study', id: args?.id }) : known;
}
