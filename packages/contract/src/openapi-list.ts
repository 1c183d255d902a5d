import { findItems, type FoundOperation } from './openapi-operations.js';
import { compact, fits, toKind, toPlaces, toShape, type JsonObject } from './openapi-schema.js';
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
  const place = '/operations/studies';
  const items = findItems(answer)?.pointer;
  if (items === undefined) open.push(`${place}/items: the document does not show the studies.`);

  const query = parameters.filter((parameter) => parameter['in'] === 'query').flatMap(toSingle);
  const found = new Map(
    listArguments.map((argument) => [argument, findSynonym(argument, query, ({ name }) => name)]),
  );
  const unused = query.filter((parameter) => ![...found.values()].includes(parameter));
  const names: Partial<Record<ListArgument, string>> = {};
  const absent: ListArgument[] = [];
  for (const [argument, parameter] of found) {
    const candidates = unused.filter(({ schema }) => isOfArgument(argument, schema));
    if (parameter) {
      if (parameter.name !== argument) names[argument] = parameter.name;
    } else if (candidates.length === 0) absent.push(argument);
    else {
      names[argument] = '';
      const choice = candidates.map(({ name }) => name).join(', ');
      open.push(
        `${place}/parameters/${argument}: name the parameter (${choice}), or put "${argument}" into "absent".`,
      );
    }
  }

  const page = found.get('page');
  const counts = (page ? [page] : unused).map(({ schema }) => toFirstPage(schema));
  const firstPage = counts.find((count) => count !== '') ?? '';
  const isOpen = firstPage === '' && !absent.includes('page');
  if (isOpen) open.push(`${place}/firstPage: the document does not show whether it is 0 or 1.`);
  const projects = found.get('projectId');
  const isRepeated = projects?.isExploded && toShape(projects.schema).type === 'array';
  return {
    items: items === '/items' || items === '' ? undefined : (items ?? ''),
    numbers: items ? toNumbers(answer, items) : undefined,
    parameters: compact(names),
    absent,
    projects: isRepeated ? 'repeated' : undefined,
    firstPage: firstPage === 0 || isOpen ? firstPage : undefined,
  };
}

function isOfArgument(argument: ListArgument, schema: unknown): boolean {
  const kind = toKind(schema);
  return argument === 'projectId' ? fits('uuid', kind) || kind === 'texts' : fits('integer', kind);
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
