import { foldName } from './nearest-name.js';
import { isObject, toPlaces, toShape, type JsonObject, type Place } from './openapi-schema.js';
import { answerNames, requestNames, type OperationName } from './study-fields.js';

/** An operation of an OpenAPI document. */
export interface FoundOperation {
  /** HTTP method in capitals. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  /** Schema of the body; `undefined` if the document shows none. */
  readonly body: unknown;
  /** Schema of the body of a success; `undefined` if the document shows none. */
  readonly answer: unknown;
}

export type FoundOperations = Partial<Readonly<Record<OperationName, FoundOperation>>>;

const foldedNames = new Set([...answerNames, ...requestNames.createStudy].map(foldName));
/** Minimum number of properties by which the study of an operation at a path without the word is recognized. */
const MIN_KNOWN = 4;

/** Returns how many properties of a schema have names of a study, and how many properties there are. */
function countNames(schema: unknown): readonly [known: number, all: number] {
  const names = Object.keys(toShape(schema).properties);
  return [names.filter((name) => foldedNames.has(foldName(name))).length, names.length];
}

/** Returns the place that looks most like a study: by names, else by the number of properties. */
export function findStudy(schema: unknown): Place {
  const [best] = toPlaces(schema).toSorted((one, other) => {
    const [known, all] = countNames(one.schema);
    const [otherKnown, otherAll] = countNames(other.schema);
    return otherKnown - known || otherAll - all;
  });
  return best ?? { pointer: '', schema };
}

/** Returns the place of the list whose items look most like a study; `undefined` if there is no list. */
export function findItems(schema: unknown): Place | undefined {
  const lists = toPlaces(schema).filter((place) => toShape(place.schema).type === 'array');
  const toCounts = ({ schema }: Place) => countNames(toShape(schema).items);
  const [best] = lists.toSorted((one, other) => {
    const [known, all] = toCounts(one);
    const [otherKnown, otherAll] = toCounts(other);
    return otherKnown - known || otherAll - all;
  });
  return best;
}

/** Finds the operations of the gateway among those of a document whose references are resolved. */
export function findOperations(document: JsonObject): FoundOperations {
  const posts = toOperations(document, 'post').filter(({ path }) => !path.includes('{'));
  const createStudy = findBest(posts, (operation) => {
    const word = foldName(operation.path.split('/').findLast(Boolean) ?? '');
    const isNamed = word === 'studies' || word === 'study';
    return countNames(operation.body)[0] + (isNamed ? MIN_KNOWN * answerNames.length : 0);
  });
  const base = toBase(createStudy?.path);
  const edits = ofOne(toOperations(document, 'patch'), base);
  const gets = toOperations(document, 'get');
  const found = {
    createStudy,
    editStudy: findBest(
      edits,
      toRank(base, ({ body }) => body),
    ),
    study: findBest(
      ofOne(gets, base),
      toRank(base, ({ answer }) => findStudy(answer).schema),
    ),
    studies: gets.find(({ path }) => path.replace(/\/$/, '') === (base ?? '/studies')),
  };
  return Object.fromEntries(Object.entries(found).filter(([, operation]) => operation));
}

/** Returns the path of the list that a path belongs to: `/studies` for `/studies/create`. */
export function toBase(path: string | undefined): string | undefined {
  return path && (/^.*\/stud(?:ies|y)(?=\/|$)/i.exec(path)?.[0] ?? path.replace(/\/$/, ''));
}

/** Returns the operations below `base` whose path has one placeholder; without `base`, all with one placeholder. */
function ofOne(operations: readonly FoundOperation[], base = ''): FoundOperation[] {
  return operations.filter(
    ({ path }) => path.startsWith(`${base}/`) && path.split('{').length === 2,
  );
}

/** Ranks the path of one study before its parts, such as `/studies/{id}/details`. */
function toRank(base: string | undefined, toSchema: (operation: FoundOperation) => unknown) {
  return (operation: FoundOperation): number => {
    const rest = base === undefined ? '' : operation.path.slice(base.length);
    const isOfOne = /^\/\{[^{}]+\}\/?$/.test(rest);
    return countNames(toSchema(operation))[0] + (isOfOne ? MIN_KNOWN * answerNames.length : 0);
  };
}

function findBest(
  operations: readonly FoundOperation[],
  toRank: (operation: FoundOperation) => number,
): FoundOperation | undefined {
  const [best] = operations.toSorted((one, other) => toRank(other) - toRank(one));
  return best && toRank(best) >= MIN_KNOWN ? best : undefined;
}

function toOperations({ paths }: JsonObject, method: string): FoundOperation[] {
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, item]) => {
    const operation = isObject(item) ? item[method] : undefined;
    if (!isObject(item) || !isObject(operation)) return [];
    const parameters = [item['parameters'], operation['parameters']].flat().filter(isObject);
    const { requestBody, responses } = operation;
    const all = isObject(responses) ? responses : {};
    const success = Object.keys(all).find((status) => /^2\d\d$|^2XX$/i.test(status)) ?? 'default';
    const schemas = { body: toSchema(requestBody), answer: toSchema(all[success]) };
    return [{ method: method.toUpperCase(), path, parameters, ...schemas }];
  });
}

/** Returns the schema of the JSON in a body; springdoc calls an answer's media type `*` `/*`. */
function toSchema(body: unknown): unknown {
  const content = isObject(body) && isObject(body['content']) ? body['content'] : {};
  const media = Object.entries(content).find(([type]) => /[/+]json\b|^\*\/\*$/.test(type))?.[1];
  const schema = isObject(media) ? media['schema'] : undefined;
  return isObject(schema) && Object.keys(schema).some((key) => key !== 'title')
    ? schema
    : undefined;
}
