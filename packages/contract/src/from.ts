import { toServer } from './document.js';
import { toBody, toNames, toQuestion, toRequest, toSide } from './from-fields.js';
import { toListRules } from './from-list.js';
import { isObject, toObject, type JsonObject } from './json.js';
import { findStudy, isNumber, toOperations, toShape, type Operation } from './openapi.js';
import { answerNames, requestNames } from './study-fields.js';

type Operations = ReturnType<typeof findOperations>;

/**
 * Returns the contract that an OpenAPI document shows.
 *
 * @param document references are resolved
 * @param source URL or file that the document was read from
 */
export function contractFrom(document: JsonObject, source: string) {
  const server = toServer(document, source);
  const operations = findOperations(toOperations(document, server.path));
  const { at, fields, properties } = findAnswer(operations);
  const bodies = {
    createStudy: toBody(operations.createStudy),
    editStudy: toBody(operations.editStudy),
  };
  const writable = { ...bodies.editStudy.properties, ...bodies.createStudy.properties };
  const request = toSide('request', requestNames.createStudy, writable);
  // JSON:API has the id beside the fields.
  const places = fields === undefined ? {} : { id: '/id' };
  const answer = toSide('answer', answerNames, properties, places);
  const list = operations.studies && toListRules(operations.studies, fields);
  const toPath = (name: keyof Operations, usual: string, rules?: JsonObject) => {
    const path = operations[name]?.path;
    return path !== undefined && { path: path === usual ? undefined : path, ...rules };
  };
  const contract = compact({
    request: toRequest(bodies, request),
    answer: { at, fields, ...toNames(answer) },
    operations: {
      study: toPath('study', '/studies/{id}'),
      studies: toPath('studies', '/studies', list?.rules),
      createStudy: toPath('createStudy', '/studies'),
      editStudy: toPath('editStudy', '/studies/{id}'),
    },
  });
  return {
    /** Says what differs from what is assumed. What must be known, and is not, is empty. */
    contract,
    /** Value for the variable STUDY_API_URL. */
    baseUrl: server.origin,
    /** Sentences about what a person must settle, and about what no contract can say. */
    open: [
      toQuestion(request),
      toQuestion(answer),
      ...(list?.open ?? []),
      isNumber(properties['id']) &&
        'The ids of studies are numbers and no UUIDs: the gateway cannot serve this API.',
      !operations.createStudy &&
        'The document has no "POST /studies": name the paths in /operations. None can be below another resource.',
    ].filter((text) => typeof text === 'string'),
  };
}

/** Removes members that say nothing: at any depth, those that are `undefined`, and empty objects and arrays. */
function compact(members: JsonObject): JsonObject {
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && Object.keys(Object(value)).length === 0;
  const text = JSON.stringify(members);
  return toObject(JSON.parse(text, (_, value: unknown) => (isEmpty(value) ? undefined : value)));
}

/** Finds the create by its path, and the other operations beside and below it. */
function findOperations(operations: readonly Operation[]) {
  const createStudy = operations.find(
    ({ method, path }) => method === 'POST' && /^[^{]*\/stud(?:ies|y)\/?$/i.test(path),
  );
  const base = (createStudy?.path ?? '/studies').replace(/\/$/, '');
  const find = (method: string, path: string): Operation | undefined =>
    operations.find((one) => one.method === method && one.path.replace(/\/$/, '') === path);
  return {
    study: find('GET', `${base}/{id}`),
    studies: find('GET', base),
    createStudy,
    editStudy: find('PATCH', `${base}/{id}`),
  };
}

/** Finds the study in the answers to single studies, and its fields, which JSON:API has in `attributes`. */
function findAnswer({ createStudy, study, editStudy }: Operations) {
  const answer = [createStudy, study, editStudy].map((one) => one?.answer).find(isObject);
  const { pointer, schema } = findStudy(answer);
  const [, at, fields] = /^(.*?)(\/attributes)?$/.exec(pointer) ?? [];
  return { at: at || undefined, fields, properties: toShape(schema).properties };
}
