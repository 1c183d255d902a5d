import { isDeepStrictEqual } from 'node:util';
import { assumed, listSchema, type Contract } from './contract.js';
import { createRead, isObject, toPointer, toSteps, writeAt, type JsonObject } from './json.js';
import { createPage, createQuery, createRefuseList, notTaken, type Refused } from './list.js';
import {
  answerNames,
  requestNames,
  toApiName,
  type FieldName,
  type Names,
} from './study-fields.js';

type Path = readonly (string | number)[];
type Verdict = 'APPLIED' | 'REJECTED' | 'UNKNOWN';

/** A contract as functions. */
export type Translation = ReturnType<typeof translate>;

/** Compiles a contract. Values are passed on as they are, so exact numbers stay exact. */
export function translate({ request, answer, operations, verdicts }: Contract) {
  const { required, absent, names } = request;
  const studies = operations.studies || listSchema.parse({});
  const toBodyVerdict = createBodyVerdict(verdicts);
  return {
    toBody: createBody(request),
    /** Each names what the API does not take, and what it demands and is missing. */
    refuse: {
      createStudy: createRefuse(absent.createStudy, names, required.createStudy),
      editStudy: createRefuse(absent.editStudy, names, required.editStudy),
      studies: createRefuseList(studies),
    },
    /** Names of the API for the fields of a request. */
    sent: new Set(requestNames.createStudy.map((name) => toApiName(request, name))),
    toInputPath: createInputPath(request),
    ...translateAnswer(answer, toBodyVerdict),
    toPage: createPage(studies),
    /** Whether the page that was asked for is believed, because no answer has its number. */
    believesPage: studies.numbers.page === false,
    toQuery: createQuery(studies),
    /** GraphQL names of the arguments of a list by names of the API. */
    listArguments: new Map<unknown, string>(
      Object.entries(studies.parameters).map(([argument, name]) => [name, argument]),
    ),
    toVerdict: createStatusVerdict(verdicts),
    toBodyVerdict,
  };
}

/** A name wins over "absent", so that a person need not delete what the command wrote. */
function isUnnamed(names: object): (name: string) => boolean {
  return (name) => !Object.hasOwn(names, name);
}

const demanded = 'The Study API demands this field.';

/** Returns the function that names what the API does not take, and what it demands and is missing. */
function createRefuse(all: readonly string[], names: object, required: readonly string[]) {
  const absent = all.filter(isUnnamed(names));
  return (given: JsonObject): Refused[] => [
    ...absent.flatMap((name) => (given[name] === undefined ? [] : { name, message: notTaken })),
    ...required.flatMap((name) => (given[name] === undefined ? { name, message: demanded } : [])),
  ];
}

/** Returns the JSON Pointer of each field. A name stands below `base`. */
function toPointers(names: Names, fields: readonly FieldName[], base = '') {
  return new Map<string, string>(
    fields.map((field) => {
      const name = toApiName(names, field);
      return [field, name.startsWith('/') ? name : base + toPointer([name])];
    }),
  );
}

/** Returns the function that makes a body by the places of the API; its `id` is that of the study to edit. */
function createBody(request: Contract['request']) {
  if (isDeepStrictEqual(request, assumed.request)) return (input: JsonObject) => input;
  const { at, id: idPlace, constants } = request;
  const fields = [...toPointers(request, requestNames.createStudy, at)];
  // What lies within another value is written after it; a value of the caller replaces a constant.
  const values = [
    ...Object.entries(constants).map(([place, text]) => ({ place, read: (): unknown => text })),
    ...fields.map(([field, place]) => ({ place, read: (input: JsonObject) => input[field] })),
  ].toSorted((one, other) => one.place.length - other.place.length);
  return (input: JsonObject, id?: string): JsonObject => {
    const body: Record<string, unknown> = {};
    for (const { place, read } of values) {
      const value = read(input);
      if (value !== undefined) writeAt(body, place, value);
    }
    if (idPlace !== undefined && id !== undefined) writeAt(body, idPlace, id);
    return body;
  };
}

/** Returns the function that translates places of a body back. A place that is no field's stays as it is. */
function createInputPath(request: Contract['request']) {
  const places = toPointers(request, requestNames.createStudy, request.at);
  return (path: Path): Path => {
    for (const [field, place] of places) {
      const steps = toSteps(place);
      const isWithin = steps.every((step, index) => path[index] === step);
      if (isWithin) return [field, ...path.slice(steps.length)];
    }
    return path;
  };
}

function translateAnswer(
  answer: Contract['answer'],
  toBodyVerdict: ReturnType<typeof createBodyVerdict>,
) {
  const absent = answer.absent.filter(isUnnamed(answer.names));
  const shown = answerNames.filter((name) => !absent.includes(name));
  const places = toPointers(answer, shown, answer.fields);
  const readers = new Map([...places].map(([field, place]) => [field, createRead(place)]));
  const [readStudy, readFields] = [createRead(answer.at), createRead(answer.fields)];
  const depth = toSteps(answer.fields).length;
  const isUsual = [...places].every(([field, place]) => place === `/${field}`);
  const toItem = (study: JsonObject): JsonObject => {
    const item: Record<string, unknown> = {};
    for (const [field, read] of readers) item[field] = read(study);
    for (const name of absent) item[name] = null;
    return item;
  };
  return {
    /** Returns what stands at the place of the study, untranslated; `undefined` if no object is there. */
    unwrap: (body: JsonObject) => toObjectOnly(readStudy(body)),
    /** Returns the fields of an untranslated study; `undefined` if no object is at their place. */
    toFields: (study: JsonObject) => toObjectOnly(readFields(study)),
    /** Returns the value of a field of an untranslated study. */
    read: (study: JsonObject, field: FieldName) => readers.get(field)?.(study),
    /** Returns a study by GraphQL names. */
    toItem: isUsual && absent.length === 0 ? (study: JsonObject) => study : toItem,
    /** GraphQL names of the fields that the API does not answer. */
    absent,
    /** Names of the API among the fields of a study: every other name is drift. */
    known: new Set(Array.from(places.values(), (place) => toSteps(place)[depth])),
    /** Returns true for an answer that says yes with `null` in place of the study. Without a yes, it may be a failure. */
    isMissing: (body: JsonObject) =>
      toBodyVerdict?.(body) === 'APPLIED' && readStudy(body) === null,
  };
}

function toObjectOnly(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns the function that says what a status means for a write. `undefined` stands for the usual meaning. */
function createStatusVerdict({ applied, rejected }: Contract['verdicts']) {
  if (!applied && !rejected) return undefined;
  return (status: number): Verdict | undefined => {
    const isSuccess = status >= 200 && status < 300;
    if (applied?.includes(status) ?? isSuccess) return 'APPLIED';
    if (rejected) return rejected.includes(status) ? 'REJECTED' : 'UNKNOWN';
    return isSuccess ? 'UNKNOWN' : undefined;
  };
}

/** Returns the function that says what the body of a 2xx means for a write: `UNKNOWN` if nothing is at the place. */
function createBodyVerdict({ success = {} }: Contract['verdicts']) {
  const [place] = Object.entries(success);
  if (!place) return undefined;
  const [pointer, yes] = place;
  const read = createRead(pointer);
  return (body: unknown): Verdict => {
    const value = read(body);
    if (value === undefined) return 'UNKNOWN';
    return value === yes ? 'APPLIED' : 'REJECTED';
  };
}
