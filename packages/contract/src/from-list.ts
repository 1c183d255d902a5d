import type { JsonObject } from './json.js';
import { findByName, findStudy, match, type Notes } from './match.js';
import { toKind, toPlaces, toShape, type FoundOperation, type Place } from './openapi.js';
import { listArguments, pageNumbers } from './study-fields.js';

/** Names that APIs give to the numbers of a page and to the arguments of a list. The first one is preferred. */
const synonyms = {
  page: ['page', 'number', 'pageNumber', 'pageNo', 'pageIndex', 'currentPage'],
  size: ['size', 'pageSize', 'perPage', 'limit', 'take'],
  total: ['total', 'totalElements', 'totalItems', 'totalCount', 'itemCount', 'count'],
  pages: ['pages', 'totalPages', 'pageCount', 'lastPage'],
  projectId: ['projectId', 'projectIds', 'projects', 'project', 'filter[projectId]'],
};

/** Returns how an API lists studies. */
export function toListRules(
  { answer, parameters }: FoundOperation,
  fields: string,
  { matched, open }: Notes,
): JsonObject {
  const place = '/operations/studies';
  const list = findItems(answer);
  if (!list)
    open.push(`${place}/items: the document does not show the studies: "/items" is assumed.`);
  const { pointer = '' } = list ?? {};
  const study = findStudy(toShape(list?.schema)['items']);
  const item = study.pointer.endsWith(fields)
    ? study.pointer.slice(0, -fields.length || undefined)
    : undefined;
  if (list && item === undefined)
    open.push(
      `${place}: the list has the fields of a study at another place than an answer to one study has: the gateway cannot read it.`,
    );

  const query = parameters.filter((parameter) => parameter['in'] === 'query').flatMap(toSingle);
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  const named = match(
    listArguments,
    properties,
    (name) => (name === 'projectId' ? ['uuid', 'texts'] : ['integer']),
    (name) => synonyms[name],
  );
  const absent = named.missing();
  for (const name of absent) {
    const choice = named.candidates(name).join(', ');
    if (choice !== '')
      open.push(
        `${place}/absent has ${name}. If it is one of the others (${choice}), name it in ${place}/parameters.`,
      );
  }
  const page = named.found.get('page');
  const firstPage = page === undefined ? undefined : toFirstPage(properties[page]);
  if (firstPage === '')
    open.push(`${place}/firstPage: the document does not show whether it is 0 or 1.`);
  const numbers = list ? toNumbers(answer, pointer, page !== undefined) : {};
  if (numbers['page'] === false)
    matched.push(
      'studies: no answer has the number of its page, so each page is believed: study-gateway doctor compares two',
    );
  return {
    items: pointer === '/items' || pointer === '' ? undefined : pointer,
    item: item || undefined,
    numbers,
    parameters: Object.fromEntries([...named.found].filter(([name, apiName]) => name !== apiName)),
    absent,
    projects: toProjects(query.find(({ name }) => name === named.found.get('projectId'))),
    firstPage: firstPage === 1 ? undefined : firstPage,
  };
}

/** Returns the place of the list whose items look most like a study; `undefined` if there is no list. */
function findItems(schema: unknown): Place | undefined {
  const lists = toPlaces(schema).filter((place) => toShape(place.schema).type === 'array');
  const toSize = ({ schema }: Place): number => {
    const study = findStudy(toShape(schema)['items']);
    return Object.keys(toShape(study.schema).properties).length;
  };
  return lists.toSorted((one, other) => toSize(other) - toSize(one))[0];
}

interface Parameter {
  readonly name: string;
  readonly schema: unknown;
  readonly isExploded: boolean;
}

/** Returns a parameter, or those that an exploded object stands for, such as springdoc's `pageable`. */
function toSingle({ name, schema, style, explode }: JsonObject): Parameter[] {
  const isExploded = explode === undefined ? (style ?? 'form') === 'form' : explode === true;
  const parts = Object.entries(toShape(schema).properties);
  if (parts.length === 0 || !isExploded) return [{ name: String(name), schema, isExploded }];
  return parts.map(([part, schema]) => ({ name: part, schema, isExploded }));
}

/** Returns how the query names several projects. One UUID is no list of UUIDs. */
function toProjects(projects: Parameter | undefined): 'repeated' | 'one' | undefined {
  if (projects && toShape(projects.schema).type === 'array')
    return projects.isExploded ? 'repeated' : undefined;
  return projects && toKind(projects.schema) === 'uuid' ? 'one' : undefined;
}

/** Returns `''` if a schema does not show it. In OpenAPI 3.0, `exclusiveMinimum` is a flag. */
function toFirstPage(schema: unknown): 0 | 1 | '' {
  const { minimum, exclusiveMinimum, default: standard } = toShape(schema);
  const first = standard ?? (exclusiveMinimum === 0 || exclusiveMinimum === true ? 1 : minimum);
  return first === 0 || first === 1 ? first : '';
}

/** Returns the places of numbers that do not stand beside the studies under their own names. */
function toNumbers(answer: unknown, items: string, hasPages: boolean): JsonObject {
  const beside = items.slice(0, items.lastIndexOf('/') + 1);
  const integers = toPlaces(answer).filter(({ schema }) => toKind(schema) === 'integer');
  const toLast = ({ pointer }: Place): string => pointer.split('/').at(-1)!;
  const numbers = pageNumbers.map((number) => {
    const found = findByName(synonyms[number], integers, toLast);
    const isLacking = hasPages && number === 'page' && !found;
    return [
      number,
      isLacking ? false : found?.pointer === beside + number ? undefined : found?.pointer,
    ] as const;
  });
  return Object.fromEntries(numbers);
}
