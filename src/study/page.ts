import * as z from 'zod';
import { isJsonObject, type JsonObject } from 'rest-outcome';
import type { ListArguments } from 'study-gateway-contract';
import { Refusal } from '../errors/refusal.js';
import { assertTaken, type StudyContract } from './contract.js';
import { DriftError, type ReportDrift } from './drift.js';
import { integer, readFields, toStudy, toTypeName, type StudyFields } from './wire.js';

/** Maximum page size. Inferred: the limit of fastapi-pagination. */
export const MAX_PAGE_SIZE = 100;

/**
 * Returns the query string of `GET /studies`, beginning with `?`; an empty string if no argument is given.
 *
 * @throws Refusal when `page` or `size` is out of range, `projectId` is empty, or the API takes no such argument
 */
export function toPageQuery(args: ListArguments, { toQuery, refuse }: StudyContract): string {
  const { page, size, projectId } = args;
  assertTaken(refuse.studies(args));
  assertRange('page', page, Infinity, 'Pages are counted from 1.');
  assertRange('size', size, MAX_PAGE_SIZE, `A page has 1 to ${MAX_PAGE_SIZE} studies.`);
  assertRange('projectId', projectId?.length, Infinity, 'A list of projects names at least one.');
  const query = toQuery(args);
  return query.length > 0 ? `?${query.join('&')}` : '';
}

/** @param value from 1 to `max`; `null` and `undefined` if the argument is not given */
function assertRange(
  argument: keyof ListArguments,
  value: number | null | undefined,
  max: number,
  message: string,
): void {
  const given = value ?? 1;
  if (given >= 1 && given <= max) return;
  const fieldErrors = [{ path: [argument], message }];
  throw new Refusal('BAD_USER_INPUT', message, { fieldErrors });
}

/** Numbers of a page in the format of fastapi-pagination. That the Study API uses this format is inferred. */
const numbersSchema = z.object({
  page: integer.nullish(),
  size: integer.nullish(),
  total: integer.nullish(),
  pages: integer.nullish(),
});

const pageNames: ReadonlySet<string> = new Set(['items', ...Object.keys(numbersSchema.shape)]);

/** A page as a resolver returns it. Each item or number that breaks the contract is a `DriftError`. */
export interface StudyPageFields extends Readonly<
  Partial<Record<keyof typeof numbersSchema.shape, unknown>>
> {
  readonly items: readonly (StudyFields | Error)[];
}

/**
 * Reads a page of studies, whose own names are those of GraphQL. An item or number that breaks the contract becomes an error in its place.
 *
 * @throws DriftError when `answer` is not a page, or not the page that `asked` requests
 */
export function toStudyPage(
  answer: JsonObject,
  asked: ListArguments,
  reportDrift: ReportDrift,
  contract: StudyContract,
): StudyPageFields {
  for (const name in answer)
    if (!pageNames.has(name)) reportDrift(name, 'nothing', toTypeName(answer[name]));

  const { items } = answer;
  if (!Array.isArray(items)) throw reportDrift('items', 'an array', toTypeName(items));
  assertAskedPage(answer, asked, items.length, contract.believesPage, reportDrift);
  assertAskedProjects(items, asked, contract, reportDrift);
  const studies = items.map((item: unknown) => {
    if (!isJsonObject(item)) return reportDrift('items', 'a study', toTypeName(item));
    const study = toStudy(item, reportDrift, contract);
    if (study instanceof DriftError) return study;
    // An item without an id is no study, even if the query does not select the id.
    return study.id instanceof DriftError ? study.id : study;
  });
  return { ...readFields(numbersSchema.shape, answer, '', reportDrift), items: studies };
}

/**
 * Throws if the answer is another page than requested, or too long. An answer without a page number, such as a bare
 * array, counts as the first page, unless the contract says that no answer has one.
 */
function assertAskedPage(
  answer: JsonObject,
  asked: ListArguments,
  itemCount: number,
  believesPage: boolean,
  reportDrift: ReportDrift,
): void {
  const { page, size } = answer;
  const askedPage = asked.page ?? 1;
  if (!believesPage && (page ?? 1) !== askedPage)
    throw reportDrift('page', 'the page asked for', 'another value or none');
  // Pages of another size begin at other studies, except the first one.
  const isOfAskedSize = (size ?? asked.size) === asked.size;
  if (askedPage !== 1 && typeof asked.size === 'number' && !isOfAskedSize)
    throw reportDrift('size', 'the size asked for', 'another size');
  const ownSize = typeof size === 'number' ? Math.min(size, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
  const maxItems = asked.size ?? ownSize;
  if (itemCount > maxItems) throw reportDrift('items', 'a page of its size', 'a longer page');
}

/**
 * Throws unless every item shows that it belongs to a requested project. That the Study API filters by `projectId` is
 * inferred; an API without this filter could return the studies of all projects.
 */
function assertAskedProjects(
  items: readonly unknown[],
  { projectId: asked }: ListArguments,
  { read }: StudyContract,
  reportDrift: ReportDrift,
): void {
  if (!asked) return;
  const projects = new Set(asked.map((id) => id.toLowerCase()));
  for (const item of items) {
    const projectId = isJsonObject(item) ? read(item, 'projectId') : undefined;
    if (typeof projectId !== 'string' || !projects.has(projectId.toLowerCase()))
      throw reportDrift('projectId', 'one of the projects asked for', 'another project or none');
  }
}
