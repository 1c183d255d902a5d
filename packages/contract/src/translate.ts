import { toApiName, usualList, type Contract, type ListForm, type Names } from './contract.js';
import { createRead, isObject, toSteps, writeAt, type JsonObject } from './json.js';
import { answerNames, listArguments, pageNumbers, requestNames } from './study-fields.js';

type Path = readonly (string | number)[];
type Verdict = 'APPLIED' | 'REJECTED' | 'UNKNOWN';

/** Arguments of the list. One that is `undefined` or `null` is not sent. */
export type ListArguments = {
  readonly page?: number | null | undefined;
  readonly size?: number | null | undefined;
  readonly projectId?: readonly string[] | null | undefined;
};

/** A field of an input, or an argument of the list, that cannot be sent as it is. */
export interface Refused {
  readonly name: string;
  readonly message: string;
}

/** A contract as functions. */
export type Translation = ReturnType<typeof translate>;

/**
 * Compiles a contract. Values are passed on as they are, so exact numbers stay exact. What would change nothing is
 * `undefined`.
 */
export function translate({ request, answer, operations, verdicts }: Contract) {
  const { required, absent, names } = request;
  const studies = operations.studies || usualList;
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
    ...translateAnswer(answer, verdicts),
    toPage: createPage(studies),
    /** Whether the page that was asked for is believed, because no answer has its number. */
    believesPage: studies.numbers.page === false,
    toQuery: createQuery(studies),
    /** GraphQL names of the arguments of a list by names of the API. */
    listArguments: new Map<string, string>(
      Object.entries(studies.parameters).map(([argument, name]) => [name, argument]),
    ),
    toVerdict: createStatusVerdict(verdicts),
    toBodyVerdict: createBodyVerdict(verdicts),
  };
}

/** A name wins over "absent", so that a person need not delete what the command wrote. */
function isUnnamed(names: object): (name: string) => boolean {
  return (name) => !Object.hasOwn(names, name);
}

const notTaken = 'The Study API does not take this field.';
const demanded = 'The Study API demands this field.';
const takesOne = 'The Study API takes one project.';

function createRefuse(all: readonly string[], names: object, required: readonly string[]) {
  const absent = all.filter(isUnnamed(names));
  return (given: JsonObject): Refused[] => [
    ...absent.flatMap((name) => (given[name] === undefined ? [] : { name, message: notTaken })),
    ...required.flatMap((name) => (given[name] === undefined ? { name, message: demanded } : [])),
  ];
}

function createRefuseList({ absent, parameters, projects }: ListForm) {
  const refuse = createRefuse(absent, parameters, []);
  return (args: ListArguments): Refused[] => {
    const given = Object.entries(args).filter(([, value]) => value !== null);
    const isTooMany = projects === 'one' && (args.projectId?.length ?? 0) > 1;
    const tooMany = isTooMany ? [{ name: 'projectId', message: takesOne }] : [];
    return [...refuse(Object.fromEntries(given)), ...tooMany];
  };
}

/** Returns the API's names by those of GraphQL and the other way round, and places by GraphQL names. */
function toNameMaps(names: Names, all: readonly string[]) {
  const pairs = all.map((field) => [field, toApiName(names, field)] as const);
  const fields = pairs.filter(([, apiName]) => !apiName.startsWith('/'));
  return {
    fields: new Map(fields),
    reversed: new Map(fields.map(([field, apiName]) => [apiName, field])),
    places: pairs.filter(([, apiName]) => apiName.startsWith('/')),
    isAssumed: pairs.every(([field, apiName]) => field === apiName),
  };
}

/** Members without a name on the other side are left out. */
function rename(source: JsonObject, names: ReadonlyMap<string, string>): Record<string, unknown> {
  const target: Record<string, unknown> = {};
  for (const name in source) {
    const to = names.get(name);
    if (to !== undefined) target[to] = source[name];
  }
  return target;
}

/**
 * Returns the function that makes a body by the names and places of the API, in the order of the input; its `id` is that
 * of the study to edit.
 */
function createBody(request: Contract['request']) {
  const { at, id: idPlace, constants } = request;
  const { fields, places, isAssumed } = toNameMaps(request, requestNames.createStudy);
  const own = Object.entries(constants).map(
    ([place, value]) => [place, value, createRead(place)] as const,
  );
  if (isAssumed && at === undefined && idPlace === undefined && own.length === 0) return undefined;
  return (input: JsonObject, id?: string): JsonObject => {
    const named = rename(input, fields);
    const body: Record<string, unknown> = at === undefined ? named : {};
    if (at !== undefined) writeAt(body, at, named);
    // A value of the caller stays.
    for (const [place, value, read] of own)
      if (read(body) === undefined) writeAt(body, place, value);
    if (idPlace !== undefined && id !== undefined) writeAt(body, idPlace, id);
    for (const [field, place] of places)
      if (input[field] !== undefined) writeAt(body, place, input[field]);
    return body;
  };
}

/** Returns the function that translates places of a body back. A place that is no field's stays as it is. */
function createInputPath(request: Contract['request']) {
  const { reversed, places } = toNameMaps(request, requestNames.createStudy);
  const at = toSteps(request.at ?? '');
  const begins = (path: Path, steps: readonly string[]): boolean =>
    steps.every((step, index) => path[index] === step);
  return (path: Path): Path => {
    for (const [field, place] of places) {
      const steps = toSteps(place);
      if (begins(path, steps)) return [field, ...path.slice(steps.length)];
    }
    const [first, ...rest] = path.slice(begins(path, at) ? at.length : 0);
    return first === undefined ? [] : [reversed.get(String(first)) ?? first, ...rest];
  };
}

function translateAnswer(answer: Contract['answer'], verdicts: Contract['verdicts']) {
  const absent = answer.absent.filter(isUnnamed(answer.names));
  const shown = answerNames.filter((name) => !absent.includes(name));
  const { fields, reversed, places, isAssumed } = toNameMaps(answer, shown);
  const readers = new Map(places.map(([field, place]) => [field, createRead(place)]));
  const [readStudy, readFields] = [createRead(answer.at), createRead(answer.fields)];
  const toBodyVerdict = createBodyVerdict(verdicts);
  const toFields = (study: JsonObject): JsonObject | undefined => toObjectOnly(readFields(study));
  const isUsual = isAssumed && answer.fields === undefined && absent.length === 0;
  // What stands around the fields is known by its outermost name.
  const outer = answer.fields === undefined ? places.map(([, place]) => toSteps(place)[0]!) : [];
  const toItem = (study: JsonObject): JsonObject => {
    const item = rename(toFields(study) ?? {}, reversed);
    for (const [field, read] of readers) item[field] = read(study);
    for (const name of absent) item[name] = null;
    return item;
  };
  return {
    /** Returns what stands at the place of the study, untranslated; `undefined` if no object is there. */
    unwrap: (body: JsonObject) => toObjectOnly(readStudy(body)),
    /** Returns the fields of an untranslated study; `undefined` if no object is at their place. */
    toFields,
    /** Returns the value of a field of an untranslated study. */
    read: (study: JsonObject, field: 'id' | 'projectId' | 'progress'): unknown => {
      const read = readers.get(field);
      return read ? read(study) : toFields(study)?.[fields.get(field) ?? field];
    },
    /** Returns a study by GraphQL names. */
    toItem: isUsual ? undefined : toItem,
    /** GraphQL names of the fields that the API does not answer. */
    absent,
    /** Names of the API in the fields of a study: every other name is drift. */
    known: new Set([...fields.values(), ...outer]),
    /** Returns true for an answer that says yes with `null` in place of the study. Without a yes, it may be a failure. */
    isMissing: (body: JsonObject) =>
      answer.at !== undefined && toBodyVerdict?.(body) === 'APPLIED' && readStudy(body) === null,
  };
}

function toObjectOnly(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns the function that makes a page by GraphQL names, counted from 1, of untranslated studies. */
function createPage({ items, item, firstPage, numbers }: ListForm) {
  const isUsual = items === '/items' && firstPage === 1 && Object.keys(numbers).length === 0;
  if (isUsual && item === undefined) return undefined;
  const [readItems, readItem] = [createRead(items), createRead(item)];
  const beside = items.slice(0, items.lastIndexOf('/') + 1);
  const readers = pageNumbers.flatMap((number) => {
    const place = numbers[number] ?? beside + number;
    return place === false ? [] : [[number, createRead(place)] as const];
  });
  return (answer: JsonObject): JsonObject => {
    const all = readItems(answer);
    const page: Record<string, unknown> = { items: Array.isArray(all) ? all.map(readItem) : all };
    for (const [number, read] of readers) page[number] = read(answer);
    if (typeof page['page'] === 'number') page['page'] += 1 - firstPage;
    return page;
  };
}

/** Returns the function that makes the query of a list, as `name=value`, with the names of the API. */
function createQuery({ parameters, projects, firstPage }: ListForm) {
  return (args: ListArguments): string[] =>
    listArguments.flatMap((argument) => {
      const value = args[argument];
      if (value === undefined || value === null) return [];
      const name = encodeURIComponent(parameters[argument] ?? argument);
      if (argument === 'page') return `${name}=${Number(value) - 1 + firstPage}`;
      const values = [value].flat().map((one) => encodeURIComponent(`${one}`));
      if (projects === 'repeated') return values.map((one) => `${name}=${one}`);
      return `${name}=${values.join(',')}`;
    });
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
