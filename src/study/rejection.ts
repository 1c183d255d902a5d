import {
  isJsonObject,
  type JsonObject,
  type ReadRejection,
  type RejectionReason,
  type ValidationDetail,
} from 'rest-outcome';
import { toSteps, type Translation } from 'study-gateway-contract';
import { parseJson } from '../json/parse-json.js';
import { cut } from '../scalars/formats.js';

/** Maximum number of entries that are read. */
const MAX_DETAILS = 20;
/** Maximum number of steps of a path below its part of the request. */
const MAX_DEPTH = 7;
/** Maximum length of a text or a name that is passed on, in characters. */
const MAX_TEXT_LENGTH = 200;

/** Matches white space and control characters. */
const SPACES = /[\s\p{Cc}]+/gu;
/** Matches characters that are not visible: bidirectional controls, zero-width characters, lone surrogates, private use. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]+/gu;

/** Message for a value whose own message cannot be passed on. */
const REFUSED = 'The Study API refused this value.';

/** First steps of a FastAPI location: the parts of a request. */
const origins: ReadonlySet<unknown> = new Set(['body', 'query', 'path', 'header', 'cookie']);

/** An error in one of the API's lists, before its place and its message are checked. */
interface Entry {
  readonly place?: unknown;
  readonly text: string;
}

type Call = Parameters<ReadRejection>[0];
type ToText = (text: string) => string | undefined;
type Names = Pick<Translation, 'toInputPath' | 'listArguments' | 'sent'>;

/**
 * Returns a function that reads why the Study API refused a call, without the token of the call. Places in a request have
 * GraphQL names. docs/study-api.md lists the forms.
 */
export function createReadRejection(names: Names): ReadRejection {
  return (call, body) => {
    const value = parseJson(body);
    return isJsonObject(value) ? toReason(call, value, names) : { details: [] };
  };
}

function toReason(call: Call, body: JsonObject, names: Names): RejectionReason {
  const token = call.headers.authorization?.replace(/^Bearer /, '');
  const toText: ToText = (text) => toPlainText(text, token);
  // FastAPI's HTTPException puts any value into `detail`, and many APIs put an object into `error`.
  const layers = [body, body['detail'], body['error']].filter(isJsonObject);
  const details: ValidationDetail[] = [];
  const others: string[] = [];
  const listed = layers.flatMap((layer) => toEntries(layer, names.sent));
  // Django refuses values by 400 only, with nothing but lists: an answer that shows a study has other members.
  const isDjango = call.attempts.at(-1)?.status === 400 && Object.values(body).every(isLists);
  const entries = isDjango && listed.length === 0 ? toNamed(body) : listed;
  for (const { place, text } of entries.slice(0, MAX_DETAILS)) {
    const location = toLocation(call, place, toText, names);
    const message = toText(text);
    if (location) details.push({ location, message: message ?? REFUSED });
    else if (message !== undefined) others.push(message);
  }
  // From the outer object to the inner ones.
  const find = (...names: string[]): string | undefined =>
    names
      .flatMap((name) => layers.map((layer) => layer[name]))
      .filter(isText)
      .map(toText)
      .find((text) => text !== undefined);
  const upstreamMessage = toText(others.join('; ')) ?? find('detail', 'message');
  if (upstreamMessage !== undefined || details.length > 0) return { details, upstreamMessage };
  // Names of errors, such as "Bad Request", are passed on only if the body says nothing else.
  return { details, upstreamMessage: find('error', 'title') };
}

/** Returns the errors in the lists of a body. */
function toEntries({ detail, errors, message }: JsonObject, sent: ReadonlySet<string>): Entry[] {
  const listed = [detail, errors].flatMap((list) => (Array.isArray(list) ? toListed(list) : []));
  const named = isJsonObject(errors) ? toNamed(errors) : [];
  return [...listed, ...named, ...toSentences(message, sent)];
}

/** Reads the texts of class-validator, whose first word is the field: `progress.total must not be less than 0`. */
function toSentences(message: unknown, sent: ReadonlySet<string>): Entry[] {
  if (!Array.isArray(message)) return [];
  return toListed(message).map(({ place, text }) => {
    const [first = ''] = text.split(' ', 1);
    return { place: place ?? (sent.has(first.split('.', 1)[0]!) ? first : undefined), text };
  });
}

/** Reads `[text]` and `[{ loc | pointer | source | field | path | property, msg | message | … }]`. */
function toListed(list: readonly unknown[], name?: string): Entry[] {
  return list.flatMap((item) => {
    if (isText(item)) return [{ place: name, text: item }];
    if (!isJsonObject(item)) return [];
    const { loc, pointer, source, field, path, property } = item;
    const { msg, defaultMessage, message, detail, title } = item;
    const text = [msg, defaultMessage, message, detail, title].find(isText);
    const ofSource = isJsonObject(source) ? (source['pointer'] ?? source['parameter']) : undefined;
    const place = name ?? loc ?? pointer ?? ofSource ?? field ?? path ?? property;
    return text === undefined ? [] : [{ place, text }];
  });
}

/** Names in place of a field in the lists of Django REST for errors of the whole body. */
const ofNoField: ReadonlySet<string> = new Set(['non_field_errors', 'nonFieldErrors', '__all__']);

/** Reads `{ field: text }`, `{ field: [text] }`, `{ field: { message } }` and `{ field: { part: [text] } }`. */
function toNamed(errors: JsonObject, outer = ''): Entry[] {
  return Object.entries(errors).flatMap(([name, value]) => {
    const entries = toListed([value].flat(), ofNoField.has(name) ? undefined : outer + name);
    const isOuter = entries.length === 0 && outer === '' && isJsonObject(value);
    return isOuter ? toNamed(value, `${name}.`) : entries;
  });
}

/** Returns whether a value is a list, or an object of nothing but lists. */
function isLists(value: unknown): boolean {
  return Array.isArray(value) || (isJsonObject(value) && Object.values(value).every(Array.isArray));
}

/**
 * Returns the path of a value, in FastAPI's form with GraphQL names; `undefined` if the place names no value, or one of its names cannot be
 * passed on. A place without a part of the request means the body, or the query of a read.
 */
function toLocation(
  { method, template }: Call,
  place: unknown,
  toText: ToText,
  { toInputPath, listArguments }: Names,
): ValidationDetail['location'] | undefined {
  // Checked whole: the steps of a path do not show a token that they share.
  if (isText(place) && toText(place) === undefined) return undefined;
  const given = (Array.isArray(place) ? place : toPath(place)).slice(0, MAX_DEPTH);
  const steps = given.flatMap((step) => toStep(step, toText) ?? []);
  if (given.length === 0 || steps.length < given.length) return undefined;
  const [first] = steps;
  const hasOrigin = origins.has(first) && (steps.length > 1 || first === 'body');
  const inferred = method === 'GET' ? 'query' : 'body';
  const before = template.includes(`{${first}}`) ? 'path' : inferred;
  const [origin = '', ...path] = hasOrigin ? steps : [before, ...steps];
  if (origin === 'body') return [origin, ...toInputPath(path)];
  return [origin, ...path.map((step) => listArguments.get(String(step)) ?? step)];
}

/** Returns the steps of a JSON pointer, `#/progress/total`, or of a dotted path, `$.audiences[1]`. */
function toPath(place: unknown): readonly (string | number)[] {
  if (!isText(place)) return [];
  const steps = /^#?\//.test(place) ? toSteps(place) : place.replace(/^\$\./, '').split(/[.[\]]+/);
  const named = steps.filter((step) => step !== '');
  return named.map((step) => (/^\d{1,9}$/.test(step) ? Number(step) : step));
}

/** Returns `undefined` for a step that cannot be passed on. */
function toStep(step: unknown, toText: ToText): string | number | undefined {
  return Number.isInteger(step) ? Number(step) : isText(step) ? toText(step) : undefined;
}

/**
 * Makes plain text of a text of the API: one line of visible characters, at most 200. Returns `undefined` for an empty
 * text, and for a text with `<` or the token: such a text is dropped whole, because its rest could show what was removed.
 */
function toPlainText(text: string, token = ''): string | undefined {
  const plain = text.replace(SPACES, ' ').replace(INVISIBLE, '').trim();
  if (plain === '' || plain.includes('<')) return undefined;
  if (token !== '' && plain.includes(token)) return undefined;
  return cut(plain, MAX_TEXT_LENGTH);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
