import { StacklessError } from './stackless.js';

/** A shorter JSON text, in characters, is not counted: reading it takes less than 50 ms of CPU whatever is in it. */
const FREE_LENGTH = 65_536;

/** Maximum number of commas in a JSON text. Each separates two values. */
const MAX_VALUES = 500_000;
/** Maximum number of arrays and objects in a JSON text: JSON.parse and JSON.stringify take up to 0.35 µs for each. */
const MAX_CONTAINERS = 100_000;
/** Maximum number of different names in a JSON text: JSON.parse and JSON.stringify take up to 2 µs for each. */
const MAX_NAMES = 20_000;
/** Maximum number of numbers that a double would change in a JSON text. */
export const MAX_INEXACT_NUMBERS = 50_000;

/** A JSON text has so many parts that reading it would take too much CPU. The message says what it has and how many are read. */
export class JsonExcessError extends StacklessError {
  override readonly name = 'JsonExcessError';

  constructor(max: number, what: string) {
    super(`more than ${max.toLocaleString('en')} ${what}`);
  }
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/**
 * Counts the parts of a JSON text before the text is parsed. Accepts a text that is no JSON.
 *
 * @throws JsonExcessError when the text has too many parts of one kind
 */
export function assertJsonSize(text: string): void {
  if (text.length <= FREE_LENGTH) return;
  let values = 0;
  let containers = 0;
  const names = new Set<string>();
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = findStringEnd(text, index);
      if (end === -1) return;
      if (isName(text, end)) names.add(text.slice(index, end));
      if (names.size > MAX_NAMES) throw new JsonExcessError(MAX_NAMES, 'different names');
      index = end;
    } else if (code === COMMA) values += 1;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) containers += 1;
    if (values > MAX_VALUES) throw new JsonExcessError(MAX_VALUES, 'values');
    if (containers > MAX_CONTAINERS) throw new JsonExcessError(MAX_CONTAINERS, 'lists and objects');
  }
}

/** Returns the JSON text of an object without the contents of its lists and objects. Accepts a text that is no JSON. */
export function toOutline(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  /** Index of the first character that is not yet in `parts`; -1 within a list or an object. */
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = findStringEnd(text, index);
      if (end === -1) break;
      index = end;
    } else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth += 1;
      if (depth === 2) {
        parts.push(text.slice(start, index), 'null');
        start = -1;
      }
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) {
      depth -= 1;
      if (depth === 1) start = index + 1;
    }
  }
  if (start !== -1) parts.push(text.slice(start));
  return parts.join('');
}

/** Returns the index of the closing quote of the string that begins at `start`; -1 if there is none. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

/** Returns true if the string that ends at `end` is the name of a member: a colon follows. */
function isName(text: string, end: number): boolean {
  let index = end + 1;
  while (text.charCodeAt(index) <= 32) index += 1;
  return text.charCodeAt(index) === COLON;
}
