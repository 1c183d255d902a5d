import { toApiName, type Contract } from './contract.js';
import {
  answerNames,
  listArguments,
  pageNumbers,
  progressParts,
  progressPrefix,
  requestNames,
  type ListArgument,
  type WriteName,
} from './study-fields.js';

type JsonObject = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];
type Verdict = 'APPLIED' | 'REJECTED' | 'UNKNOWN';
type Rename = (source: JsonObject) => JsonObject;

/** A field of an input, or an argument of the list, that cannot be sent as it is. */
export interface Refused {
  readonly name: string;
  readonly message: string;
}

/**
 * A contract as functions. Each is `undefined` where the API does as is assumed: nothing is called or copied then. Values
 * are passed on as they are, so exact numbers stay exact.
 */
export interface Translation {
  /** Returns a body with the names of the API, in the order of the input. */
  readonly toBody: Rename | undefined;
  /** Returns the fields that the API does not take, and those that it demands and that are missing. */
  readonly refuse: Readonly<Record<WriteName, ((input: JsonObject) => Refused[]) | undefined>>;
  /** Returns the study in the answer to one study by GraphQL names; `undefined` if no object is at its place. */
  readonly toStudy: ((answer: JsonObject) => JsonObject | undefined) | undefined;
  /** Returns a study of a page by GraphQL names. */
  readonly toItem: Rename | undefined;
  /** Returns a page by GraphQL names, counted from 1. Its studies are untranslated. */
  readonly toPage: Rename | undefined;
  /** Returns the query of a list as `name=value`, with the names of the API. */
  readonly toQuery: ((args: JsonObject) => string[]) | undefined;
  /** Returns the arguments of a list that the API does not take. */
  readonly refuseList: ((args: JsonObject) => Refused[]) | undefined;
  /** Returns the path of a value in a request by GraphQL names. */
  readonly toInputPath: ((path: Path) => Path) | undefined;
  /** Returns the GraphQL name of an argument by the API's name. */
  readonly toArgument: ((parameter: string) => string) | undefined;
  /** Names of the API in a study, with those of the parts of a progress: every other name is drift. */
  readonly knownNames: ReadonlySet<string> | undefined;
  /** Returns what a status says of a write. */
  readonly toVerdict: ((status: number) => Verdict) | undefined;
  /** Returns what the body of a 2xx says of a write: `UNKNOWN` if nothing is at the place. */
  readonly toBodyVerdict: ((body: unknown) => Verdict) | undefined;
  /** Returns the API's text on why a call failed. */
  readonly readReason: ((body: unknown) => string | undefined) | undefined;
}

/** Compiles a contract. */
export function translate({ request, answer, operations, verdicts }: Contract): Translation {
  const sent = toNames(request, requestNames.createStudy);
  const shown = toNames(
    answer,
    answerNames.filter((name) => !includes(answer.absent, name)),
  );
  const hasOwnNames = !isEqual(shown) || answer.absent.length > 0;
  const toItem = hasOwnNames ? createRename(reverse(shown), answer.absent) : undefined;
  const { at } = answer;
  const { reason, success } = verdicts;
  return {
    toBody: isEqual(sent) ? undefined : createRename(sent),
    refuse: {
      createStudy: createRefuse(request.absent.createStudy, request.required.createStudy),
      editStudy: createRefuse(request.absent.editStudy, request.required.editStudy),
    },
    toStudy: at === undefined ? toItem : createUnwrap(createRead(at), toItem),
    toItem,
    ...translateList(operations.studies),
    toInputPath: isEqual(sent) ? undefined : createPathRename(reverse(sent)),
    knownNames: toItem && toKnownNames(shown),
    toVerdict: createStatusVerdict(verdicts),
    toBodyVerdict: success && createBodyVerdict(success),
    readReason: reason === undefined ? undefined : createReason(createRead(reason)),
  };
}

/** Names by names: from those of one side to those of the other. */
interface Names {
  readonly fields: ReadonlyMap<string, string>;
  readonly parts: ReadonlyMap<string, string>;
  /** Name of the progress, on the side that is translated. */
  readonly progress: string;
}

function toNames(rules: Parameters<typeof toApiName>[0], fields: readonly string[]): Names {
  return {
    fields: new Map(fields.map((field) => [field, toApiName(rules, field)])),
    parts: new Map(progressParts.map((part) => [part, toApiName(rules, progressPrefix + part)])),
    progress: 'progress',
  };
}

function reverse({ fields, parts, progress }: Names): Names {
  const toReversed = (names: ReadonlyMap<string, string>): Map<string, string> =>
    new Map([...names].map(([from, to]) => [to, from]));
  return {
    fields: toReversed(fields),
    parts: toReversed(parts),
    progress: fields.get(progress) ?? progress,
  };
}

function isEqual({ fields, parts }: Names): boolean {
  return [...fields, ...parts].every(([from, to]) => from === to);
}

/** Members without a name on the other side are left out. Those in `absent` become `null`. */
function createRename({ fields, parts, progress }: Names, absent: readonly string[] = []): Rename {
  const hasOwnParts = [...parts].some(([from, to]) => from !== to);
  return (source) => {
    const target: Record<string, unknown> = {};
    for (const name in source) {
      const to = fields.get(name);
      if (to === undefined) continue;
      const value = source[name];
      target[to] =
        hasOwnParts && name === progress && isObject(value) ? rename(value, parts) : value;
    }
    for (const name of absent) target[name] = null;
    return target;
  };
}

function rename(source: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const target: Record<string, unknown> = {};
  for (const name in source) {
    const to = names.get(name);
    if (to !== undefined) target[to] = source[name];
  }
  return target;
}

function createPathRename({ fields, parts, progress }: Names): (path: Path) => Path {
  return ([field, part, ...rest]) => {
    const own = fields.get(String(field)) ?? field;
    if (own === undefined || part === undefined) return own === undefined ? [] : [own];
    return [own, field === progress ? (parts.get(String(part)) ?? part) : part, ...rest];
  };
}

function toKnownNames({ fields, parts }: Names): Set<string> {
  const prefix = `${fields.get('progress')}.`;
  return new Set([...fields.values(), ...[...parts.values()].map((part) => prefix + part)]);
}

const notTaken = 'The Study API does not take this field.';

function createRefuse(absent: readonly string[], required: readonly string[]) {
  if (absent.length + required.length === 0) return undefined;
  return (input: JsonObject): Refused[] => [
    ...absent
      .filter((name) => input[name] !== undefined)
      .map((name) => ({ name, message: notTaken })),
    ...required
      .filter((name) => input[name] === undefined)
      .map((name) => ({ name, message: 'The Study API demands this field.' })),
  ];
}

function createUnwrap(read: (body: unknown) => unknown, toItem: Rename | undefined) {
  return (answer: JsonObject): JsonObject | undefined => {
    const study = read(answer);
    if (!isObject(study)) return undefined;
    return toItem ? toItem(study) : study;
  };
}

type Studies = Contract['operations']['studies'];
type List = Pick<Translation, 'toPage' | 'toQuery' | 'refuseList' | 'toArgument'>;

function translateList(studies: Studies): List {
  if (studies === false)
    return { toPage: undefined, toQuery: undefined, refuseList: undefined, toArgument: undefined };
  const { items, numbers, parameters, absent, projects, firstPage } = studies;
  const isAssumedPage = items === '/items' && Object.keys(numbers).length === 0 && firstPage === 1;
  const isAssumedQuery = Object.keys(parameters).length === 0 && projects === 'comma-separated';
  const names = new Map(Object.entries(parameters).map(([argument, name]) => [name, argument]));
  const isRefused = absent.length > 0 || projects === 'one';
  return {
    toPage: isAssumedPage ? undefined : createPage(studies),
    toQuery: isAssumedQuery && firstPage === 1 ? undefined : createQuery(studies),
    refuseList: isRefused ? (args) => refuseList(studies, args) : undefined,
    toArgument: names.size === 0 ? undefined : (name) => names.get(name) ?? name,
  };
}

function createPage({ items, numbers, firstPage }: Exclude<Studies, false>): Rename {
  const beside = items.slice(0, items.lastIndexOf('/') + 1);
  const readers = pageNumbers.map(
    (name) => [name, createRead(numbers[name] ?? beside + name)] as const,
  );
  const readItems = createRead(items);
  return (answer) => {
    const page: Record<string, unknown> = { items: readItems(answer) };
    for (const [name, read] of readers) page[name] = read(answer);
    if (typeof page['page'] === 'number') page['page'] += 1 - firstPage;
    return page;
  };
}

function createQuery({ parameters, projects, firstPage }: Exclude<Studies, false>) {
  return (args: JsonObject): string[] =>
    listArguments.flatMap((argument) => {
      const value = args[argument];
      if (value === undefined || value === null) return [];
      const name = encodeURIComponent(parameters[argument] ?? argument);
      if (argument === 'page') return `${name}=${Number(value) - 1 + firstPage}`;
      const values = [value].flat().map((one) => encodeURIComponent(String(one)));
      if (projects === 'repeated') return values.map((one) => `${name}=${one}`);
      return `${name}=${values.join(',')}`;
    });
}

function refuseList({ absent, projects }: Exclude<Studies, false>, args: JsonObject): Refused[] {
  const isGiven = (name: ListArgument): boolean => args[name] !== undefined && args[name] !== null;
  const refused = absent.filter(isGiven).map((name) => ({ name, message: notTaken }));
  const { projectId } = args;
  if (projects === 'one' && Array.isArray(projectId) && projectId.length > 1)
    refused.push({ name: 'projectId', message: 'The Study API lists the studies of one project.' });
  return refused;
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

function createBodyVerdict(success: JsonObject): Translation['toBodyVerdict'] {
  const [[place = '', yes] = []] = Object.entries(success);
  const read = createRead(place);
  return (body) => {
    const value = read(body);
    if (value === undefined) return 'UNKNOWN';
    return value === yes ? 'APPLIED' : 'REJECTED';
  };
}

function createReason(read: (body: unknown) => unknown): Translation['readReason'] {
  return (body) => {
    const text = read(body);
    return typeof text === 'string' ? text : undefined;
  };
}

/** Returns a function that reads the value at a JSON Pointer (RFC 6901); the value is `undefined` if there is none. */
function createRead(pointer: string): (value: unknown) => unknown {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (value) => {
    let inner = value;
    for (const step of steps) {
      if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step))
        return undefined;
      inner = (inner as JsonObject)[step];
    }
    return inner;
  };
}

/** A number that is kept as it is written is an object too, but not one of JSON. */
function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
  );
}

function includes(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
