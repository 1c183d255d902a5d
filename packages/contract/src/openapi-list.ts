import type { JsonObject } from './json.js';
import { findByName, Side } from './match-names.js';
import { findItems, type FoundOperation } from './openapi-operations.js';
import { toKind, toPlaces, toShape } from './openapi-schema.js';
import { listArguments, pageNumbers } from './study-fields.js';

/** Names that APIs give to the numbers of a page and to the arguments of a list. The first one is preferred. */
const synonyms = {
  page: ['page', 'number', 'pageNumber', 'pageNo', 'pageIndex', 'currentPage'],
  size: ['size', 'pageSize', 'perPage', 'limit'],
  total: ['total', 'totalElements', 'totalItems', 'totalCount', 'count'],
  pages: ['pages', 'totalPages', 'pageCount'],
  projectId: ['projectId', 'projectIds', 'projects', 'project'],
};

/** Returns how an API lists studies. */
export function toListRules({ answer, parameters }: FoundOperation, open: string[]): JsonObject {
  const place = '/operations/studies';
  const items = findItems(answer)?.pointer;
  if (items === undefined) open.push(`${place}/items: the document does not show the studies.`);

  const query = parameters.filter((parameter) => parameter['in'] === 'query').flatMap(toSingle);
  const side = new Side(
    `${place}/parameters`,
    listArguments,
    Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    (name) => (name === 'projectId' ? ['uuid', 'texts'] : ['integer']),
    (name) => synonyms[name],
  );
  const { names, absent } = side.settle(
    (name) => name,
    () => true,
    open,
  );

  const page = side.found.get('page');
  const counts = (page === undefined ? side.unused : [page]).map((name) =>
    toFirstPage(side.properties[name]),
  );
  const firstPage = counts.find((count) => count !== '') ?? '';
  const isOpen = firstPage === '' && !absent.includes('page');
  if (isOpen) open.push(`${place}/firstPage: the document does not show whether it is 0 or 1.`);
  const projects = query.find(({ name }) => name === side.found.get('projectId'));
  const isRepeated = projects?.isExploded && toShape(projects.schema).type === 'array';
  return {
    items: items === '/items' || items === '' ? undefined : (items ?? ''),
    numbers: items ? toNumbers(answer, items) : undefined,
    parameters: names,
    absent,
    projects: isRepeated ? 'repeated' : undefined,
    firstPage: firstPage === 0 || isOpen ? firstPage : undefined,
  };
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

/** Returns `''` if a schema does not show it. In OpenAPI 3.0, `exclusiveMinimum` is a flag. */
function toFirstPage(schema: unknown): 0 | 1 | '' {
  const { minimum, exclusiveMinimum, default: standard } = toShape(schema);
  const first = standard ?? (exclusiveMinimum === 0 || exclusiveMinimum === true ? 1 : minimum);
  return first === 0 || first === 1 ? first : '';
}

/** Returns the places of numbers that do not stand beside the studies under their own names. */
function toNumbers(answer: unknown, items: string): JsonObject {
  const beside = items.slice(0, items.lastIndexOf('/') + 1);
  const integers = toPlaces(answer).filter(({ schema }) => toKind(schema) === 'integer');
  const toLast = ({ pointer }: (typeof integers)[number]): string => pointer.split('/').at(-1)!;
  const numbers = pageNumbers.map((number) => {
    const found = findByName(synonyms[number], integers, toLast);
    return [number, found?.pointer === beside + number ? undefined : found?.pointer] as const;
  });
  return Object.fromEntries(numbers);
}
