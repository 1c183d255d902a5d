import { foldName } from './nearest-name.js';
import { findItems, type FoundOperation } from './openapi-operations.js';
import { compact, toKind, toPlaces, toShape, type JsonObject } from './openapi-schema.js';
import { listArguments, pageNumbers, type ListArgument, type PageNumber } from './study-fields.js';

/** What is said to the person who reads a document. */
export interface Notes {
  readonly matched: string[];
  /** What a person must settle. */
  readonly open: string[];
}

/** Names that APIs give to the numbers of a page and to the arguments of a list, without case and separators. */
const synonyms: Readonly<Record<PageNumber | ListArgument, readonly string[]>> = {
  page: ['page', 'number', 'pagenumber', 'pageno', 'pageindex', 'currentpage'],
  size: ['size', 'pagesize', 'perpage', 'limit'],
  total: ['total', 'totalelements', 'totalitems', 'totalcount', 'count'],
  pages: ['pages', 'totalpages', 'pagecount'],
  projectId: ['projectid', 'projectids', 'projects', 'project'],
};

/** Returns how an API lists studies, as far as that differs from what is assumed. */
export function toListRules(operation: FoundOperation, { open }: Notes): JsonObject {
  const items = findItems(operation.answer)?.pointer;
  if (items === undefined)
    open.push('/operations/studies/items: the document does not show where the studies are.');

  const parameters = operation.parameters
    .filter(({ in: place }) => place === 'query')
    .flatMap(toSingle);
  const found = listArguments.map((argument) => {
    const byName = (name: string) => parameters.find((other) => foldName(other.name) === name);
    return [argument, synonyms[argument].map(byName).find(Boolean)] as const;
  });
  const { page, projectId } = Object.fromEntries(found);
  const firstPage = page && toFirstPage(page.schema);
  if (firstPage === '')
    open.push('/operations/studies/firstPage: the document does not show whether it is 0 or 1.');
  return {
    items: items === '/items' || items === '' ? undefined : (items ?? ''),
    numbers: items ? toNumbers(operation.answer, items) : undefined,
    parameters: compact(
      Object.fromEntries(
        found.map(([argument, { name } = {}]) => [argument, name === argument ? undefined : name]),
      ),
    ),
    absent: found.flatMap(([argument, parameter]) => (parameter ? [] : argument)),
    projects: projectId && toProjects(projectId),
    firstPage: firstPage === 1 ? undefined : firstPage,
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
  const { properties } = toShape(schema);
  const names = Object.keys(properties);
  if (names.length === 0 || !isExploded) return [{ name: String(name), schema, isExploded }];
  return names.map((name) => ({ name, schema: properties[name], isExploded }));
}

function toFirstPage(schema: unknown): 0 | 1 | '' {
  const { minimum, default: standard } = toShape(schema);
  if (minimum === 0 || standard === 0) return 0;
  return minimum === 1 || standard === 1 ? 1 : '';
}

function toProjects({ schema, isExploded }: Parameter): 'repeated' | 'one' | undefined {
  const { type, format } = toShape(schema);
  if (type === 'array') return isExploded ? 'repeated' : undefined;
  return format === 'uuid' ? 'one' : undefined;
}

/** Returns the places of numbers that do not stand beside the studies under their own names. */
function toNumbers(answer: unknown, items: string): JsonObject | undefined {
  const parent = items.slice(0, items.lastIndexOf('/') + 1);
  const places = toPlaces(answer).filter(({ schema }) => toKind(schema) === 'integer');
  const byNearness = places.toSorted(
    (one, other) =>
      Number(other.pointer.startsWith(parent)) - Number(one.pointer.startsWith(parent)),
  );
  const numbers = pageNumbers.map((number) => {
    const byName = (name: string) =>
      byNearness.find(({ pointer }) => foldName(pointer.split('/').at(-1)!) === name);
    const pointer = synonyms[number].map(byName).find(Boolean)?.pointer;
    return [number, pointer === parent + number ? undefined : pointer] as const;
  });
  return compact(Object.fromEntries(numbers));
}
