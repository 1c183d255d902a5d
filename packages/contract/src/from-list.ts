import type { JsonObject } from './json.js';
import {
  findName,
  findStudy,
  isNumber,
  toPlaces,
  toShape,
  type Operation,
  type Place,
} from './openapi.js';
import { listArguments, pageNumbers } from './study-fields.js';

/** Names that APIs give to the numbers of a page and to the arguments of a list. The first one is preferred. */
const synonyms = {
  page: ['page', 'number', 'pageNumber', 'pageNo', 'pageIndex', 'currentPage'],
  size: ['size', 'pageSize', 'perPage', 'limit', 'take'],
  total: ['total', 'totalElements', 'totalItems', 'totalCount', 'itemCount', 'count'],
  pages: ['pages', 'totalPages', 'pageCount', 'lastPage'],
  projectId: ['projectId', 'projectIds', 'projects', 'project', 'filter[projectId]'],
};

/**
 * Returns how an API lists studies, and what a person must settle.
 *
 * @param fields place of the fields in a study
 */
export function toListRules({ answer, parameters }: Operation, fields = '') {
  const list = findList(answer);
  const items = list?.pointer || '/items';
  const item = list?.study.pointer ?? '';

  const query = parameters.filter((parameter) => parameter['in'] === 'query').flatMap(toSingle);
  const names = query.map(({ name }) => name);
  const apiNames = new Map(listArguments.map((name) => [name, findName(synonyms[name], names)]));
  const [page, projects] = (['page', 'projectId'] as const).map((argument) =>
    query.find(({ name }) => name === apiNames.get(argument)),
  );
  const absent = listArguments.filter((name) => apiNames.get(name) === undefined);
  const used = new Set(apiNames.values());
  const unused = names.filter((name) => !used.has(name)).join(', ');
  const firstPage = page && toFirstPage(page.schema);
  const exceptions = [...apiNames].filter(([name, apiName]) => apiName !== name);
  const questions = [
    !list && 'items: the document does not show the studies: "/items" is assumed.',
    absent.length > 0 &&
      unused !== '' &&
      `parameters has false for ${absent.join(', ')}. One of the others (${unused}) may be its name.`,
    firstPage === '' && 'firstPage: the document does not show whether it is 0 or 1.',
  ];
  return {
    rules: {
      items: items === '/items' ? undefined : items,
      item: item.slice(0, item.length - fields.length) || undefined,
      numbers: list && toNumbers(answer, page !== undefined),
      parameters: Object.fromEntries(exceptions.map(([name, apiName = false]) => [name, apiName])),
      projects: projects && toProjects(projects),
      firstPage: firstPage === 1 ? undefined : firstPage,
    },
    open: questions.filter((text) => text !== false).map((text) => `/operations/studies/${text}`),
  };
}

/** Finds the array of studies, and the study in an item: of all arrays, the items of this one have the most properties. */
function findList(answer: unknown) {
  const lists = toPlaces(answer)
    .filter(({ schema }) => toShape(schema).type === 'array')
    .map(({ pointer, schema }) => ({ pointer, study: findStudy(toShape(schema)['items']) }));
  const toSize = ({ schema }: Place): number => Object.keys(toShape(schema).properties).length;
  return lists.toSorted((one, other) => toSize(other.study) - toSize(one.study))[0];
}

/** Returns a parameter, or those that an object stands for, such as springdoc's `pageable`. */
function toSingle({ name, schema, explode }: JsonObject) {
  const isExploded = explode !== false;
  const parts = Object.entries(toShape(schema).properties);
  if (parts.length === 0) return [{ name: String(name), schema, isExploded }];
  return parts.map(([part, schema]) => ({ name: part, schema, isExploded }));
}

/** Returns how the query names several projects. One UUID is no list of UUIDs. */
function toProjects({ schema, isExploded }: ReturnType<typeof toSingle>[number]) {
  const { type, format } = toShape(schema);
  if (type === 'array') return isExploded ? 'repeated' : undefined;
  return format === 'uuid' ? 'one' : undefined;
}

/** Returns `''` if a schema does not show it. */
function toFirstPage(schema: unknown): 0 | 1 | '' {
  const { minimum, exclusiveMinimum, default: standard } = toShape(schema);
  // An exclusive one is a flag or another number.
  const first = standard ?? (exclusiveMinimum === undefined ? minimum : undefined);
  return first === 0 || first === 1 ? first : '';
}

/** Returns the places of numbers that do not stand in a page under their own names. */
function toNumbers(answer: unknown, hasPages: boolean): JsonObject {
  const all = toPlaces(answer).filter(({ schema }) => isNumber(schema));
  const toLast = ({ pointer }: Place): string => pointer.split('/').at(-1)!;
  const numbers = pageNumbers.map((number) => {
    const name = findName(synonyms[number], all.map(toLast));
    const found = all.find((place) => toLast(place) === name);
    if (!found) return [number, hasPages && number === 'page' ? false : undefined];
    return [number, found.pointer === `/${number}` ? undefined : found.pointer];
  });
  return Object.fromEntries(numbers);
}
