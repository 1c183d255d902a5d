import { PageArgumentError } from './study.errors.js';

/** The page that a client asks for; what is `undefined` or `null` is left to the Study API. */
export interface PageArguments {
  /** Counted from 1. */
  readonly page?: number | null | undefined;
  /** Most studies of the page. */
  readonly size?: number | null | undefined;
  /** Only studies of these projects: UUIDs. */
  readonly projectId?: readonly string[] | null | undefined;
}

export const MAX_PAGE_SIZE = 100;
/** Inferred: the size of a page when none is given. */
export const DEFAULT_PAGE_SIZE = 50;

export function isPageSize(size: number): boolean {
  return size >= 1 && size <= MAX_PAGE_SIZE;
}

/**
 * The query of `GET /studies` with its `?`; empty when nothing is asked for.
 *
 * @throws PageArgumentError
 */
export function toPageQuery({ page, size, projectId }: PageArguments): string {
  const query: string[] = [];
  if (page !== undefined && page !== null) {
    if (page < 1) throw new PageArgumentError('page', 'Pages are counted from 1.');
    query.push(`page=${page}`);
  }
  if (size !== undefined && size !== null) {
    if (!isPageSize(size))
      throw new PageArgumentError('size', `A page has 1 to ${MAX_PAGE_SIZE} studies.`);
    query.push(`size=${size}`);
  }
  if (projectId) {
    if (projectId.length === 0)
      throw new PageArgumentError(
        'projectId',
        'A list of projects names one at least; leave it out for the studies of all.',
      );
    // The ids are UUIDs by now; they are encoded all the same, because this is where they become a path.
    query.push(`projectId=${projectId.map(encodeURIComponent).join(',')}`);
  }
  return query.length > 0 ? `?${query.join('&')}` : '';
}
