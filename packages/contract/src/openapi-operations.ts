import { isObject, toObject, type JsonObject } from './json.js';
import { toPlaces, toShape, type Place } from './openapi-schema.js';
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

export type FoundOperations = Readonly<Record<OperationName, FoundOperation | undefined>>;

const studyNames: ReadonlySet<string> = new Set(answerNames.map(foldName));
/** Minimum number of fields by which an operation is recognized whose path does not say what it is. */
const MIN_KNOWN = 4;

/** Ranks a schema by the number of properties with known names, then by the number of properties. */
function rank(schema: unknown, known = studyNames): number {
  const names = Object.keys(toShape(schema).properties);
  const count = names.filter((name) => known.has(foldName(name))).length;
  return count + Math.min(names.length, 999) / 1_000;
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
  const operations = toOperations(document);
  /** Finds the operation that looks most like one of studies: by its usual path, else by the names in a schema. */
  const find = (
    method: string,
    isPossible: (path: string) => boolean,
    usual: RegExp,
    toRankOfNames: (operation: FoundOperation) => number,
  ): FoundOperation | undefined => {
    const toRank = (operation: FoundOperation): number =>
      toRankOfNames(operation) + (usual.test(operation.path) ? answerNames.length : 0);
    const possible = operations.filter((one) => one.method === method && isPossible(one.path));
    const best = findBest(possible, toRank);
    return best && toRank(best) >= MIN_KNOWN ? best : undefined;
  };

  const isOfAll = (path: string): boolean => !path.includes('{');
  const createStudy = find('POST', isOfAll, /\/stud(?:ies|y)\/?$/i, ({ body }) => rank(body));
  const base = toBase(createStudy?.path);
  const isOfOne = (path: string): boolean =>
    path.startsWith(`${base}/`) && path.split('{').length === 2;
  const sent = Object.keys(toShape(createStudy?.body).properties);
  const known = new Set([...studyNames, ...sent.map(foldName)]);
  const toAnswer = ({ answer }: FoundOperation): unknown => findStudy(answer).schema;
  return {
    createStudy,
    editStudy: find('PATCH', isOfOne, /\}\/?$/, ({ body }) => rank(body, known)),
    study: find('GET', isOfOne, /\}\/?$/, (operation) => rank(toAnswer(operation), known)),
    studies: operations.find(
      ({ method, path }) => method === 'GET' && path.replace(/\/$/, '') === base,
    ),
  };
}

/** Returns the path of the list that the path of a create belongs to: `/studies` for `/studies/create`. */
export function toBase(path = '/studies'): string {
  return /^.*\/stud(?:ies|y)(?=\/|$)/i.exec(path)?.[0] ?? path.replace(/\/$/, '');
}

function toOperations(document: JsonObject): FoundOperation[] {
  return Object.entries(toObject(document['paths'])).flatMap(([path, value]) => {
    const item = toObject(value);
    return Object.entries(item).map(([method, operation]) => {
      const { parameters, requestBody, responses } = toObject(operation);
      const all = toObject(responses);
      const success = Object.keys(all).find((status) => /^2(?:\d\d|XX)$/i.test(status));
      return {
        method: method.toUpperCase(),
        path,
        parameters: [item['parameters'], parameters].flat().filter(isObject),
        body: toSchema(requestBody),
        answer: toSchema(all[success ?? 'default']),
      };
    });
  });
}

/** Returns the schema of the JSON in a body. springdoc calls the media type of an answer any. */
function toSchema(body: unknown): unknown {
  const media = Object.entries(toObject(toObject(body)['content']));
  const json = media.find(([type]) => /[/+]json\b|^\*\/\*$/.test(type));
  return toObject(json?.[1])['schema'];
}
