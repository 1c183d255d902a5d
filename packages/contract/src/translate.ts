import { toApiName, toNumberPlace, type Contract, type ListForm, type Names } from './contract.js';
import { isObject, toSteps, type JsonObject } from './json.js';
import {
  answerNames,
  listArguments,
  pageNumbers,
  partNames,
  progressPrefix,
  requestNames,
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
  /** Returns a body with the names of the API, in the order of the input. */
  readonly toBody: Rename | undefined;
  /** Return the fields that the API does not take, and those that the API demands and that are missing. */
  readonly refuseCreate: Refuse | undefined;
  readonly refuseEdit: Refuse | undefined;
  /** Returns a study by GraphQL names. */
  readonly toItem: Rename | undefined;
  /** Returns a page by GraphQL names, counted from 1. Its studies are untranslated. */
  readonly toPage: Rename | undefined;
  /** Returns the query of a list as `name=value`, with the names of the API. */
  readonly toQuery: (args: ListArguments) => string[];
  /** Returns the arguments of a list that the API does not take. */
  readonly refuseList: ((args: ListArguments) => Refused[]) | undefined;
  /** Returns the path of a value in a request by GraphQL names. */
  readonly toInputPath: ((path: Path) => Path) | undefined;
  /** GraphQL names of the arguments of a list by names of the API. */
  readonly listArguments: ReadonlyMap<string, string> | undefined;
  /** Returns what stands at the place of the study, untranslated; `undefined` if no object is there. */
  readonly unwrap: ((answer: JsonObject) => JsonObject | undefined) | undefined;
  /** API's names of fields that are read before a study is translated. */
  readonly own: Readonly<Record<'id' | 'projectId' | 'progress', string>>;
  /** Names of the API in a study and in its progress: every other name is drift. */
  readonly known: Readonly<Record<'fields' | 'parts', ReadonlySet<string>>> | undefined;
  /** Returns what a status says of a write. */
  readonly toVerdict: ((status: number) => Verdict) | undefined;
  /** Returns what the body of a 2xx says of a write: `UNKNOWN` if nothing is at the place. */
  readonly toBodyVerdict: ((body: unknown) => Verdict) | undefined;
  /** Returns the API's text on why a call failed. */
  readonly readReason: ((body: unknown) => string | undefined) | undefined;
}

/** Compiles a contract. */
export function translate({ request, answer, operations, verdicts }: Contract): Translation {
  const { required, absent } = request;
  const sent = toPairs(request, requestNames.createStudy);
  const shown = answerNames.filter((name) => !answer.absent.includes(name));
  const names = toPairs(answer, shown);
  const hasOwnNames = !areEqual(names) || answer.absent.length > 0;
  const toOwn = (name: string): string => toApiName(answer, name);
  return {
    toBody: areEqual(sent) ? undefined : createRename(sent),
    refuseCreate: createRefuse(absent.createStudy, required.createStudy),
    refuseEdit: createRefuse(absent.editStudy, required.editStudy),
    unwrap: answer.at === undefined ? undefined : createUnwrap(answer.at),
    own: { id: toOwn('id'), projectId: toOwn('projectId'), progress: toOwn('progress') },
    toItem: hasOwnNames ? createRename(reverse(names), answer.absent) : undefined,
    ...translateList(operations.studies),
    toInputPath: areEqual(sent) ? undefined : createPathRename(reverse(sent)),
    known: hasOwnNames
      ? { fields: new Set(shown.map(toOwn)), parts: new Set(partNames.map(toOwn)) }
      : undefined,
    toVerdict: createStatusVerdict(verdicts),
    toBodyVerdict: createBodyVerdict(verdicts),
    readReason: createReason(verdicts),
  };
}

/** Names by names: from those of one side to those of the other. */
interface Pairs {
  readonly fields: ReadonlyMap<string, string>;
  readonly parts: ReadonlyMap<string, string>;
  /** Name of the progress on the side that is translated. */
  readonly progress: string;
}

function toPairs(names: Names, fields: readonly string[]): Pairs {
  return {
    fields: new Map(fields.map((field) => [field, toApiName(names, field)])),
    parts: new Map(
      partNames.map((part) => [part.replace(progressPrefix, ''), toApiName(names, part)]),
    ),
    progress: 'progress',
  };
}

function reverse({ fields, parts, progress }: Pairs): Pairs {
  return {
    fields: new Map([...fields].map(([from, to]) => [to, from])),
    parts: new Map([...parts].map(([from, to]) => [to, from])),
    progress: fields.get(progress) ?? progress,
  };
}

function areEqual({ fields, parts }: Pairs): boolean {
  return [...fields, ...parts].every(([from, to]) => from === to);
}

/** Members without a name on the other side are left out. Those in `absent` become `null`. */
function createRename({ fields, parts, progress }: Pairs, absent: readonly string[] = []): Rename {
  return (source) => {
    const target: Record<string, unknown> = rename(source, fields);
    const to = fields.get(progress);
    const inner = source[progress];
    if (to !== undefined && isObject(inner)) target[to] = rename(inner, parts);
    for (const name of absent) target[name] = null;
    return target;
  };
}

function rename(source: JsonObject, names: ReadonlyMap<string, string>): Record<string, unknown> {
  const target: Record<string, unknown> = {};
  for (const name in source) {
    const to = names.get(name);
    if (to !== undefined) target[to] = source[name];
  }
  return target;
}

function createPathRename({ fields, parts, progress }: Pairs): (path: Path) => Path {
  return (path) =>
    path.map((step, index) => {
      const isPart = index === 1 && path[0] === progress;
      const names = isPart ? parts : fields;
      return index === 0 || isPart ? (names.get(String(step)) ?? step) : step;
    });
}

const notTaken = 'The Study API does not take this field.';
const demanded = 'The Study API demands this field.';

function createRefuse(
  absent: readonly string[],
  required: readonly string[] = [],
  isGiven = (value: unknown): boolean => value !== undefined,
): Refuse | undefined {
  if (absent.length + required.length === 0) return undefined;
  return (input) => [
    ...absent.flatMap((name) => (isGiven(input[name]) ? { name, message: notTaken } : [])),
    ...required.flatMap((name) => (isGiven(input[name]) ? [] : { name, message: demanded })),
  ];
}

function createUnwrap(at: string): Translation['unwrap'] {
  const read = createRead(at);
  return (answer) => {
    const study = read(answer);
    return isObject(study) ? study : undefined;
  };
}

function translateList(studies: ListForm | false) {
  if (!studies)
    return {
      toPage: undefined,
      toQuery: () => [],
      refuseList: undefined,
      listArguments: undefined,
    };
  const { items, numbers, parameters, absent, firstPage } = studies;
  const isUsual = items === '/items' && firstPage === 1 && Object.keys(numbers).length === 0;
  const own = Object.entries(parameters).map(([argument, name]) => [name, argument] as const);
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  return {
    toPage: isUsual ? undefined : createPage(studies),
    toQuery: createQuery(studies),
    refuseList: createRefuse(absent, [], isGiven),
    listArguments: own.length > 0 ? new Map(own) : undefined,
  };
}

function createPage(studies: ListForm): Rename {
  const { items, firstPage } = studies;
  const readItems = createRead(items);
  const readers = pageNumbers.map(
    (number) => [number, createRead(toNumberPlace(studies, number))] as const,
  );
  return (answer) => {
    const page: Record<string, unknown> = { items: readItems(answer) };
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

/** Statuses that common proxies send of their own after they have passed a request on. */
const ofProxies: ReadonlySet<number> = new Set([408, 460, 499]);

function createStatusVerdict({
  applied,
  rejected,
}: Contract['verdicts']): Translation['toVerdict'] {
  if (!applied && !rejected) return undefined;
  return (status) => {
    if (applied?.includes(status) ?? (status >= 200 && status < 300)) return 'APPLIED';
    const isRefusal = status >= 400 && status < 500 && !ofProxies.has(status);
    return (rejected?.includes(status) ?? isRefusal) ? 'REJECTED' : 'UNKNOWN';
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

/** Returns a function that reads the value at a JSON Pointer (RFC 6901); the value is `undefined` if there is none. */
function createRead(pointer: string): (value: unknown) => unknown {
  const steps = toSteps(pointer);
  return (value) => {
    let inner = value;
    for (const step of steps) {
      if (!isObject(inner) || !Object.hasOwn(inner, step)) return undefined;
      inner = inner[step];
    }
    return inner;
  };
}
