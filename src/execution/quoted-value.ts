/** Maximum length of a value of the client in a message, in characters. */
export const MAX_QUOTED_LENGTH = 100;
/** Number of items after which graphql-js leaves out the rest of a list. */
const MAX_ITEMS = 10;
/** Number of levels after which graphql-js leaves out what is in a list or an object. */
const MAX_DEPTH = 2;

/**
 * Returns a JSON value as text for a message, in the form of graphql-js's own messages, but at most 100 characters of the text.
 * The cost does not depend on the length of strings and lists.
 */
export function toQuoted(value: unknown): string {
  return cutQuoted(print(value, 0));
}

/** Cuts a text of the client to `length` characters, of which the last is `…`. */
export function cutQuoted(text: string, length = MAX_QUOTED_LENGTH): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

const BEFORE_VALUE = ' value: ';

/** Cuts the value in a message of a scalar of graphql-js, such as `Int cannot represent non-integer value: "x"`. */
export function cutScalarValue(message: string): string {
  const begin = message.slice(0, MAX_QUOTED_LENGTH);
  const end = begin.indexOf(BEFORE_VALUE);
  // Before the value, the message has nothing in quotes. Other messages may quote a text of the client that looks alike.
  if (end === -1 || begin.slice(0, end).includes('"')) return message;
  const start = end + BEFORE_VALUE.length;
  return message.slice(0, start) + cutQuoted(message.slice(start));
}

/** Maximum number of characters of a message in which texts in quotes are cut; the rest is never shown. */
const MAX_READ_LENGTH = 1_000;

/** Cuts each text in double quotes, such as a name or a string of the document, to 100 characters. */
export function cutQuotedTexts(message: string): string {
  if (message.length <= MAX_QUOTED_LENGTH) return message;
  const texts = message.slice(0, MAX_READ_LENGTH).split('"');
  return texts.map((text, index) => (index % 2 === 1 ? cutQuoted(text) : text)).join('"');
}

function print(value: unknown, depth: number): string {
  // Longer strings are cut in any case.
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_QUOTED_LENGTH));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (depth >= MAX_DEPTH) return '[Array]';
    const items = value.slice(0, MAX_ITEMS).map((item) => print(item, depth + 1));
    const rest = value.length - items.length;
    if (rest > 0) items.push(`... ${rest} more item${rest === 1 ? '' : 's'}`);
    return `[${items.join(', ')}]`;
  }
  // Each entry has at least four characters with its separator, so further entries are cut in any case.
  const entries = Object.entries(value).slice(0, MAX_QUOTED_LENGTH / 4);
  if (entries.length === 0) return '{}';
  if (depth >= MAX_DEPTH) return '[Object]';
  const properties = entries.map(
    ([key, item]) => `${key.slice(0, MAX_QUOTED_LENGTH)}: ${print(item, depth + 1)}`,
  );
  return `{ ${properties.join(', ')} }`;
}
