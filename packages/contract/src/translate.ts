import { toApiName, toNumberPlace, type Contract, type ListForm, type Names } from './contract.js';
import { createRead, isObject, toObject, toSteps, writeAt, type JsonObject } from './json.js';
import {
  answerNames,
  listArguments,
  pageNumbers,
  partNames,
  progressPrefix,
  requestNames,
  type FieldName,
  type WriteName,
} from './study-fields.js';

type Path = readonly (string | number)[];
type Verdict = 'APPLIED' | 'REJECTED' | 'UNKNOWN';
type Rename = (source: JsonObject) => JsonObject;
type Refuse = (given: JsonObject) => Refused[];

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

/**
 * A contract as functions. Most are `undefined` where the API does as is assumed: nothing is called or copied then. Values
 * are passed on as they are, so exact numbers stay exact.
 */
export interface Translation {
  /** Returns a body by the names and places of the API, in the order of the input. `id` is that of the study to edit. */
  readonly toBody: ((input: JsonObject, id?: string) => JsonObject) | undefined;
  /** Return the fields that the API does not take, and those that the API demands and that are missing. */
  readonly refuseCreate: Refuse | undefined;
  readonly refuseEdit: Refuse | undefined;
  /** Names of the API for the fields of a request. */
  readonly sent: ReadonlySet<string>;
  /** Returns what stands at the place of the study, untranslated; `undefined` if no object is there. */
  readonly unwrap: ((answer: JsonObject) => JsonObject | undefined) | undefined;
  /** Returns the fields of an untranslated study; `undefined` if no object is at their place. */
  readonly toFields: (study: JsonObject) => JsonObject | undefined;
  /** Returns the value of a field of an untranslated study. */
  readonly read: (study: JsonObject, field: 'id' | 'projectId' | 'progress') => unknown;
  /** Returns a study by GraphQL names. */
  readonly toItem: Rename | undefined;
  /** GraphQL names of the fields that the API does not answer. */
  readonly absent: readonly FieldName[];
  /** Names of the API in the fields of a study and in its progress: every other name is drift. */
  readonly known: Readonly<Record<'fields' | 'parts', ReadonlySet<string>>> | undefined;
  /** Returns true for an answer that says yes with `null` in place of the study. */
  readonly isMissing: ((answer: JsonObject) => boolean) | undefined;
  /** Returns a page by GraphQL names, counted from 1. Its studies are untranslated. */
  readonly toPage: Rename | undefined;
  /** Whether the page that was asked for is believed, because no answer has its number. */
  readonly believesPage: boolean;
  /** Returns the query of a list as `name=value`, with the names of the API. */
  readonly toQuery: (args: ListArguments) => string[];
  /** Returns the arguments of a list that the API does not take. */
  readonly refuseList: ((args: ListArguments) => Refused[]) | undefined;
  /** Returns the path of a value in a request by GraphQL names. */
  readonly toInputPath: ((path: Path) => Path) | undefined;
  /** GraphQL names of the arguments of a list by names of the API. */
  readonly listArguments: ReadonlyMap<string, string> | undefined;
  /** Returns what a status says of a write; `undefined` if it says what it usually says. */
  readonly toVerdict: ((status: number) => Verdict | undefined) | undefined;
  /** Returns what the body of a 2xx says of a write: `UNKNOWN` if nothing is at the place. */
  readonly toBodyVerdict: ((body: unknown) => Verdict) | undefined;
  /** Returns the API's text on why a call failed. */
  readonly readReason: ((body: unknown) => string | undefined) | undefined;
}

/** Compiles a contract. */
export function translate({ request, answer, operations, verdicts }: Contract): Translation {
  const { required, absent } = request;
  const isNamed = (name: string): boolean => Object.hasOwn(request.names, name);
  const toAbsent = (write: WriteName): string[] => absent[write].filter((name) => !isNamed(name));
  return {
    toBody: createBody(request),
    refuseCreate: createRefuse(toAbsent('createStudy'), required.createStudy),
    refuseEdit: createRefuse(toAbsent('editStudy'), required.editStudy),
    sent: new Set(requestNames.createStudy.map((name) => toApiName(request, name))),
    ...translateAnswer(answer),
    ...translateList(operations.studies),
    isMissing: createIsMissing(answer, verdicts),
    toInputPath: createInputPath(request),
    toVerdict: createStatusVerdict(verdicts),
    toBodyVerdict: createBodyVerdict(verdicts),
    readReason: createReason(verdicts),
  };
}

/** Names of the API by names of GraphQL, or the other way round. */
type NameMap = ReadonlyMap<string, string>;

function toNameMaps(names: Names, all: readonly string[]) {
  const isOwn = (name: string): boolean => !toApiName(names, name).startsWith('/');
  const toPairs = (keys: readonly string[]) =>
    keys.map((key) => [key.replace(progressPrefix, ''), toApiName(names, key)] as const);
  return {
    fields: new Map(toPairs(all.filter(isOwn))),
    parts: new Map(toPairs(partNames)),
    /** Places by GraphQL names. */
    places: toPairs(all.filter((name) => !isOwn(name))),
  };
}

function reverse(names: NameMap): NameMap {
  return new Map([...names].map(([from, to]) => [to, from]));
}

function areEqual(...maps: readonly NameMap[]): boolean {
  return maps.every((names) => [...names].every(([from, to]) => from === to));
}

/** Members without a name on the other side are left out. */
function rename(source: JsonObject, names: NameMap): Record<string, unknown> {
  const target: Record<string, unknown> = {};
  for (const name in source) {
    const to = names.get(name);
    if (to !== undefined) target[to] = source[name];
  }
  return target;
}

function createBody(request: Contract['request']): Translation['toBody'] {
  const { at, id: idPlace, constants } = request;
  const { fields, parts, places } = toNameMaps(request, requestNames.createStudy);
  const own = Object.entries(constants);
  const isFlat = at === undefined && idPlace === undefined && own.length === 0;
  if (isFlat && places.length === 0 && areEqual(fields, parts)) return undefined;
  return (input, id) => {
    const { progress } = input;
    const given = isObject(progress) ? { ...input, progress: rename(progress, parts) } : input;
    const named = rename(given, fields);
    const body: Record<string, unknown> = at === undefined ? named : {};
    for (const [place, value] of own) writeAt(body, place, value);
    if (idPlace !== undefined && id !== undefined) writeAt(body, idPlace, id);
    if (at !== undefined) writeAt(body, at, { ...toObject(createRead(at)(body)), ...named });
    for (const [field, place] of places)
      if (given[field] !== undefined) writeAt(body, place, given[field]);
    return body;
  };
}

/** Returns the function that translates places of a body back. A place that is no field's stays as it is. */
function createInputPath(request: Contract['request']): Translation['toInputPath'] {
  const { fields, parts, places } = toNameMaps(request, requestNames.createStudy);
  const at = toSteps(request.at ?? '');
  if (at.length === 0 && places.length === 0 && areEqual(fields, parts)) return undefined;
  const [toField, toPart] = [reverse(fields), reverse(parts)];
  const begins = (path: Path, steps: readonly string[]): boolean =>
    steps.every((step, index) => path[index] === step);
  return (path) => {
    const placed = places.find(([, place]) => begins(path, toSteps(place)));
    const [first, ...rest] = placed
      ? [placed[0], ...path.slice(toSteps(placed[1]).length)]
      : path.slice(begins(path, at) ? at.length : 0);
    if (first === undefined) return [];
    const field = placed ? first : (toField.get(String(first)) ?? first);
    if (field !== 'progress') return [field, ...rest];
    return [field, ...rest.map((step) => toPart.get(String(step)) ?? step)];
  };
}

function translateAnswer(answer: Contract['answer']) {
  const absent = answer.absent.filter((name) => !Object.hasOwn(answer.names, name));
  const shown = answerNames.filter((name) => !absent.includes(name));
  const { fields, parts, places } = toNameMaps(answer, shown);
  const readers = new Map(places.map(([field, place]) => [field, createRead(place)]));
  const readFields = answer.fields === undefined ? undefined : createRead(answer.fields);
  const toFields = (study: JsonObject): JsonObject | undefined => {
    const inner = readFields ? readFields(study) : study;
    return isObject(inner) ? inner : undefined;
  };
  const isUsual = !readFields && readers.size === 0 && absent.length === 0;
  const isAssumed = isUsual && areEqual(fields, parts);
  const [toField, toPart] = [reverse(fields), reverse(parts)];
  const known = new Set(fields.values());
  // What stands around the fields is known by its outermost name.
  if (!readFields) for (const [, place] of places) known.add(toSteps(place)[0]!);
  return {
    unwrap: answer.at === undefined ? undefined : createUnwrap(answer.at),
    toFields,
    read: (study: JsonObject, field: string) => {
      const read = readers.get(field);
      return read ? read(study) : toFields(study)?.[fields.get(field) ?? field];
    },
    toItem: isAssumed
      ? undefined
      : (study: JsonObject) => {
          const item = rename(toFields(study) ?? {}, toField);
          for (const [field, read] of readers) item[field] = read(study);
          const { progress } = item;
          if (isObject(progress)) item['progress'] = rename(progress, toPart);
          for (const name of absent) item[name] = null;
          return item;
        },
    absent,
    known: isAssumed ? undefined : { fields: known, parts: new Set(parts.values()) },
  };
}

const notTaken = 'The Study API does not take this field.';
const demanded = 'The Study API demands this field.';
const takesOne = 'The Study API takes one project.';

function createRefuse(
  absent: readonly string[],
  required: readonly string[] = [],
): Refuse | undefined {
  if (absent.length + required.length === 0) return undefined;
  return (input) => [
    ...absent.flatMap((name) => (input[name] === undefined ? [] : { name, message: notTaken })),
    ...required.flatMap((name) => (input[name] === undefined ? { name, message: demanded } : [])),
  ];
}

function createUnwrap(at: string): Translation['unwrap'] {
  const read = createRead(at);
  return (answer) => {
    const study = read(answer);
    return isObject(study) ? study : undefined;
  };
}

/** Only where a place says yes: else, `{"data": null}` may be a failure. */
function createIsMissing(
  { at }: Contract['answer'],
  verdicts: Contract['verdicts'],
): Translation['isMissing'] {
  const toVerdict = createBodyVerdict(verdicts);
  if (at === undefined || !toVerdict) return undefined;
  const read = createRead(at);
  return (answer) => toVerdict(answer) === 'APPLIED' && read(answer) === null;
}

function translateList(studies: ListForm | false) {
  if (!studies)
    return {
      toPage: undefined,
      believesPage: false,
      toQuery: () => [],
      refuseList: undefined,
      listArguments: undefined,
    };
  const { items, item, numbers, parameters, firstPage, projects } = studies;
  const isUsual = items === '/items' && firstPage === 1 && Object.keys(numbers).length === 0;
  const own = Object.entries(parameters).map(([argument, name]) => [name, argument] as const);
  const absent = studies.absent.filter((argument) => !Object.hasOwn(parameters, argument));
  return {
    toPage: isUsual && item === undefined ? undefined : createPage(studies),
    believesPage: numbers.page === false,
    toQuery: createQuery(studies),
    refuseList: createRefuseList(absent, projects === 'one'),
    listArguments: own.length > 0 ? new Map(own) : undefined,
  };
}

function createRefuseList(absent: readonly string[], isOne: boolean): Translation['refuseList'] {
  const refuse = createRefuse(absent);
  if (!refuse && !isOne) return undefined;
  return (args) => {
    const given = Object.entries(args).filter(([, value]) => value !== null);
    const isTooMany = isOne && (args.projectId?.length ?? 0) > 1;
    return [
      ...(refuse?.(Object.fromEntries(given)) ?? []),
      ...(isTooMany ? [{ name: 'projectId', message: takesOne }] : []),
    ];
  };
}

function createPage(studies: ListForm): Rename {
  const { items, item, firstPage } = studies;
  const readItems = createRead(items);
  const readItem = item === undefined ? undefined : createRead(item);
  const readers = pageNumbers.flatMap((number) => {
    const place = toNumberPlace(studies, number);
    return place === false ? [] : [[number, createRead(place)] as const];
  });
  return (answer) => {
    const all = readItems(answer);
    const page: Record<string, unknown> = {
      items: readItem && Array.isArray(all) ? all.map(readItem) : all,
    };
    for (const [number, read] of readers) page[number] = read(answer);
    if (typeof page['page'] === 'number') page['page'] += 1 - firstPage;
    return page;
  };
}

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

function createStatusVerdict({
  applied,
  rejected,
}: Contract['verdicts']): Translation['toVerdict'] {
  if (!applied && !rejected) return undefined;
  return (status) => {
    const isSuccess = status >= 200 && status < 300;
    if (applied?.includes(status) ?? isSuccess) return 'APPLIED';
    if (rejected) return rejected.includes(status) ? 'REJECTED' : 'UNKNOWN';
    return isSuccess ? 'UNKNOWN' : undefined;
  };
}

function createBodyVerdict({ success }: Contract['verdicts']): Translation['toBodyVerdict'] {
  const [place] = Object.entries(success ?? {});
  if (!place) return undefined;
  const [pointer, yes] = place;
  const read = createRead(pointer);
  return (body) => {
    const value = read(body);
    if (value === undefined) return 'UNKNOWN';
    return value === yes ? 'APPLIED' : 'REJECTED';
  };
}

function createReason({ reason }: Contract['verdicts']): Translation['readReason'] {
  const read = reason === undefined ? undefined : createRead(reason);
  return read && ((body) => [read(body)].find((text) => typeof text === 'string'));
}
