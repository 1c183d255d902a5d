import { Refusal } from '../errors/refusal.js';

/** Arguments of the GraphQL field `studies`. An argument that is `undefined` or `null` is not sent to the Study API. */
export interface PageArguments {
  /** Page number, from 1. */
  readonly page?: number | null | undefined;
  /** Maximum number of studies on the page. */
  readonly size?: number | null | undefined;
  /** UUIDs of projects: lists only studies of these projects. */
  readonly projectId?: readonly string[] | null | undefined;
}

/** Maximum page size. Inferred: the limit of fastapi-pagination. */
export const MAX_PAGE_SIZE = 100;
/** Page size of the Study API for a request without `size`. Inferred: the default of fastapi-pagination. */
export const DEFAULT_PAGE_SIZE = 50;

/** Maximum number of projects in the filter of a list. Servers refuse URLs as long as 1,000 UUIDs, 37 KB. */
const MAX_PROJECTS = 1_000;

export function isPageSize(size: number): boolean {
  return size >= 1 && size <= MAX_PAGE_SIZE;
}

/**
 * Returns the query string of `GET /studies`, beginning with `?`; an empty string if no argument is given.
 *
 * @throws Refusal when `page` or `size` is out of range, or `projectId` is empty or too long
 */
export function toPageQuery({ page, size, projectId }: PageArguments): string {
  const query: string[] = [];
  if (page !== undefined && page !== null) {
    if (page < 1) throw refused('page', 'Pages are counted from 1.');
    query.push(`page=${page}`);
  }
  if (size !== undefined && size !== null) {
    if (!isPageSize(size)) throw refused('size', `A page has 1 to ${MAX_PAGE_SIZE} studies.`);
    query.push(`size=${size}`);
  }
  if (projectId) {
    if (projectId.length === 0)
      throw refused(
        'projectId',
        'A list of projects names one at least; leave it out for the studies of all.',
      );
    if (projectId.length > MAX_PROJECTS)
      throw refused(
        'projectId',
        `A list of projects names at most ${MAX_PROJECTS}, not ${projectId.length}.`,
      );
    // GraphQL has checked that the ids are UUIDs; encoding them is a second defence against injection into the URL.
    query.push(`projectId=${projectId.map(encodeURIComponent).join(',')}`);
  }
  return query.length > 0 ? `?${query.join('&')}` : '';
}

function refused(argument: keyof PageArguments, message: string): Refusal {
  return new Refusal('BAD_USER_INPUT', message, { path: [argument] });
}
