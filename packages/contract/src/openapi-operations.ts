import { isObject, toPlaces, toShape, type JsonObject, type Place } from './openapi-schema.js';
import { answerNames, foldName, type OperationName } from './study-fields.js';

/** An operation of an OpenAPI document. A schema is `undefined` if the document shows none. */
export interface FoundOperation {
  /** HTTP method in capitals. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  readonly body: unknown;
  /** Schema of the body of a success. */
  readonly answer: unknown;
}

export type FoundOperations = Partial<Readonly<Record<OperationName, FoundOperation>>>;

const foldedNames = new Set(answerNames.map(foldName));
/** Minimum number of fields by which an operation is recognized whose path does not say what it is. */
const MIN_KNOWN = 4;

/**
 * Ranks a schema by the number of properties with names of a study, then by the number of properties.
 *
 * @param like schema of a study, whose names count too
 */
function rank(schema: unknown, like?: unknown): number {
  const { properties } = toShape(like);
  const names = Object.keys(toShape(schema).properties);
  const known = names.filter(
    (name) => foldedNames.has(foldName(name)) || Object.hasOwn(properties, name),
  );
  return known.length + Math.min(names.length, 999) / 1_000;
}

function findBest<Item>(items: readonly Item[], toRank: (item: Item) => number): Item | undefined {
  return items.toSorted((one, other) => toRank(other) - toRank(one))[0];
}

/** Returns the place that looks most like a study. */
export function findStudy(schema: unknown): Place {
  return findBest(toPlaces(schema), (place) => rank(place.schema)) ?? { pointer: '', schema };
}

/** Returns the place of the list whose items look most like a study; `undefined` if there is no list. */
export function findItems(schema: unknown): Place | undefined {
  const lists = toPlaces(schema).filter((place) => toShape(place.schema).type === 'array');
  return findBest(lists, (place) => rank(toShape(place.schema)['items']));
}

/** Finds the operations of the gateway in a document whose references are resolved. */
export function findOperations(document: JsonObject): FoundOperations {
  const posts = toOperations(document, 'post').filter(({ path }) => !path.includes('{'));
  const createStudy = find(posts, /\/stud(?:ies|y)\/?$/i, ({ body }) => body);
  const base = toBase(createStudy?.path);
  const ofOne = (method: string): FoundOperation[] =>
    toOperations(document, method).filter(
      ({ path }) => path.startsWith(`${base}/`) && path.split('{').length === 2,
    );
  const found = {
    createStudy,
    editStudy: find(ofOne('patch'), /\}\/?$/, ({ body }) => body, createStudy?.body),
    study: find(
      ofOne('get'),
      /\}\/?$/,
      ({ answer }) => findStudy(answer).schema,
      createStudy?.body,
    ),
    studies: toOperations(document, 'get').find(({ path }) => path.replace(/\/$/, '') === base),
  };
  return Object.fromEntries(Object.entries(found).filter(([, operation]) => operation));
}

/** Returns the path of the list that the path of a create belongs to: `/studies` for `/studies/create`. */
export function toBase(path = '/studies'): string {
  return /^.*\/stud(?:ies|y)(?=\/|$)/i.exec(path)?.[0] ?? path.replace(/\/$/, '');
}

/** Finds the operation that looks most like one of studies: by its path, else by the names in a schema. */
function find(
  operations: readonly FoundOperation[],
  path: RegExp,
  toSchema: (operation: FoundOperation) => unknown,
  like?: unknown,
): FoundOperation | undefined {
  const toRank = (operation: FoundOperation): number =>
    rank(toSchema(operation), like) + (path.test(operation.path) ? answerNames.length : 0);
  const best = findBest(operations, toRank);
  return best && toRank(best) >= MIN_KNOWN ? best : undefined;
}

function toOperations({ paths }: JsonObject, method: string): FoundOperation[] {
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) => {
    const operation = isObject(item) ? item[method] : undefined;
    if (!isObject(item) || !isObject(operation)) return [];
    const parameters = [item['parameters'], operation['parameters']].flat().filter(isObject);
    const { requestBody, responses } = operation;
    const all = isObject(responses) ? responses : {};
    const success = Object.keys(all).find((status) => /^2(?:\d\d|XX)$/i.test(status)) ?? 'default';
    const schemas = { body: toSchema(requestBody), answer: toSchema(all[success]) };
    return [{ method: method.toUpperCase(), path, parameters, ...schemas }];
  });
}

/** Returns the schema of the JSON in a body. springdoc calls the media type of an answer any. */
function toSchema(body: unknown): unknown {
  const content = isObject(body) && isObject(body['content']) ? body['content'] : {};
  const media = Object.entries(content).find(([type]) => /[/+]json\b|^\*\/\*$/.test(type))?.[1];
  return isObject(media) ? media['schema'] : undefined;
}
