import { findItems, type FoundOperation } from './openapi-operations.js';
import { compact, toKind, toPlaces, toShape, type JsonObject } from './openapi-schema.js';
import {
  foldName,
  listArguments,
  pageNumbers,
  type ListArgument,
  type PageNumber,
} from './study-fields.js';

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

/** Finds what is called by a name, or by one of its synonyms. The first synonym is preferred. */
function findSynonym<Item>(
  name: PageNumber | ListArgument,
  items: readonly Item[],
  toName: (item: Item) => string,
): Item | undefined {
  const byName = (synonym: string) => items.find((item) => foldName(toName(item)) === synonym);
  return synonyms[name].map(byName).find((item) => item !== undefined);
}

/** Returns how an API lists studies, as far as that differs from what is assumed. */
export function toListRules({ answer, parameters }: FoundOperation, { open }: Notes): JsonObject {
  const items = findItems(answer)?.pointer;
  if (items === undefined)
    open.push('/operations/studies/items: the document does not show where the studies are.');

  const query = parameters.filter((parameter) => parameter['in'] === 'query').flatMap(toSingle);
  const found = new Map(
    listArguments.map((argument) => [argument, findSynonym(argument, query, ({ name }) => name)]),
  );
  const unused = query.filter((parameter) => !new Set(found.values()).has(parameter));
  const { names, absent } = toArguments(found, unused, open);
  const projects = found.get('projectId');
  const isRepeated = projects?.isExploded && toShape(projects.schema).type === 'array';
  // One of the unused is the page, if a person must name the page.
  const pages =
    names.page === '' ? unused : [found.get('page')].filter((page) => page !== undefined);
  const [first = '', ...others] = new Set(pages.flatMap(({ schema }) => toFirstPage(schema) ?? []));
  const firstPage = others.length > 0 ? '' : first;
  if (pages.length > 0 && firstPage === '')
    open.push('/operations/studies/firstPage: the document does not show whether it is 0 or 1.');
  return {
    items: items === '/items' || items === '' ? undefined : (items ?? ''),
    numbers: items ? toNumbers(answer, items) : undefined,
    parameters: compact(names),
    absent,
    projects: isRepeated ? 'repeated' : undefined,
    firstPage: pages.length === 0 || firstPage === 1 ? undefined : firstPage,
  };
}

/** Returns the names of the arguments that differ: empty if a person must tell the name. */
function toArguments(
  found: ReadonlyMap<ListArgument, Parameter | undefined>,
  unused: readonly Parameter[],
  open: string[],
) {
  const names: Partial<Record<ListArgument, string>> = {};
  const absent: ListArgument[] = [];
  for (const [argument, parameter] of found) {
    const isOfPage = argument !== 'projectId';
    const choice = unused.filter(({ schema }) => (toKind(schema) === 'integer') === isOfPage);
    if (parameter && parameter.name !== argument) names[argument] = parameter.name;
    if (parameter) continue;
    if (choice.length === 0) absent.push(argument);
    else {
      names[argument] = '';
      const all = choice.map(({ name }) => name).join(', ');
      const place = `/operations/studies/parameters/${argument}`;
      open.push(`${place}: name the parameter (${all}), or put "${argument}" into "absent".`);
    }
  }
  return { names, absent };
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

/** Returns `undefined` if a schema does not show it. In OpenAPI 3.0, `exclusiveMinimum` is a flag. */
function toFirstPage(schema: unknown): 0 | 1 | undefined {
  const { minimum, exclusiveMinimum, default: standard } = toShape(schema);
  const first = standard ?? (exclusiveMinimum === 0 || exclusiveMinimum === true ? 1 : minimum);
  return first === 0 || first === 1 ? first : undefined;
}

/** Returns the places of numbers that do not stand beside the studies under their own names. */
function toNumbers(answer: unknown, items: string): JsonObject | undefined {
  const beside = items.slice(0, items.lastIndexOf('/') + 1);
  const pointers = toPlaces(answer)
    .filter(({ schema }) => toKind(schema) === 'integer')
    .map(({ pointer }) => pointer);
  const numbers = pageNumbers.map((number) => {
    const pointer = findSynonym(number, pointers, (pointer) => pointer.split('/').at(-1)!);
    return [number, pointer === beside + number ? undefined : pointer] as const;
  });
  return compact(Object.fromEntries(numbers));
}
