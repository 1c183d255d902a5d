import { StacklessError } from 'rest-outcome';

/** A shorter JSON text, in characters, is not counted: reading it takes 25 ms of CPU at most, whatever is in it. */
export const FREE_LENGTH = 262_144;

/** Maximum number of commas in a JSON text. Each separates two values. */
const MAX_VALUES = 500_000;
/** Maximum number of arrays and objects in a JSON text: JSON.parse and JSON.stringify take up to 0.35 µs for each. */
const MAX_CONTAINERS = 100_000;
/** Maximum number of different names in a JSON text: JSON.parse and JSON.stringify take up to 2 µs for each. */
const MAX_NAMES = 20_000;

/** A JSON text has so many parts that reading it would take too much CPU. The message says what it has and how many are read. */
export class JsonExcessError extends StacklessError {
  override readonly name = 'JsonExcessError';

  constructor(max: number, what: string) {
    super(`more than ${max.toLocaleString('en')} ${what}`);
  }
}

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/**
 * Counts the parts of a JSON text before the text is parsed. Accepts a text that is no JSON. A text of up to `FREE_LENGTH`
 * characters needs no count.
 *
 * @throws JsonExcessError when the text has too many parts of one kind
 */
export function assertJsonSize(text: string): void {
  // Fast path: each value but the last, and each name, follows a mark, so a text with few marks has few of everything.
  if (!hasMarks(text, MAX_NAMES)) return;
  let values = 0;
  let containers = 0;
  const names = new Set<string>();
  visitMarks(text, (code, index, _, end) => {
    if (code === COMMA) values += 1;
    else if (isOpening(code)) containers += 1;
    else if (code === QUOTE && readNext(text, end) === COLON) names.add(text.slice(index, end));
    if (values > MAX_VALUES) throw new JsonExcessError(MAX_VALUES, 'values');
    if (containers > MAX_CONTAINERS) throw new JsonExcessError(MAX_CONTAINERS, 'lists and objects');
    if (names.size > MAX_NAMES) throw new JsonExcessError(MAX_NAMES, 'different names');
  });
}

/**
 * Counts the values in a JSON text until there are too many: strings, numbers, `true`, `false`, `null`, lists and objects, at
 * every level. Names do not count. The count of a text that is no JSON has no meaning.
 *
 * @throws JsonExcessError when the text has more than `max` values
 */
export function assertJsonValues(text: string, max: number): void {
  if (!hasMarks(text, max)) return;
  // A list or an object has one value more than it has commas, unless it is empty.
  let count = 1;
  visitMarks(text, (code, index) => {
    if (code === COMMA || (isOpening(code) && !isClosing(readNext(text, index)))) count += 1;
    if (count > max) throw new JsonExcessError(max, 'values');
  });
}

/**
 * Returns false if `text` has fewer than `max` commas and opening brackets, even if those in strings are counted: then it
 * cannot have more than `max` values. `indexOf` skips a long string in a hundredth of the time of `visitMarks`.
 */
function hasMarks(text: string, max: number): boolean {
  let count = 0;
  for (const mark of [',', '[', '{'])
    for (let index = text.indexOf(mark); index !== -1; index = text.indexOf(mark, index + 1)) {
      count += 1;
      if (count === max) return true;
    }
  return false;
}

/** Returns the JSON text of an object without the contents of its lists and objects. Accepts a text that is no JSON. */
export function toOutline(text: string): string {
  const parts: string[] = [];
  /** Index of the first character that is not yet in `parts`; -1 within a list or an object. */
  let start = 0;
  visitMarks(text, (code, index, depth) => {
    if (isOpening(code) && depth === 2) {
      parts.push(text.slice(start, index), 'null');
      start = -1;
    } else if (isClosing(code) && depth === 1) start = index + 1;
  });
  if (start !== -1) parts.push(text.slice(start));
  return parts.join('');
}

/**
 * Calls `visit` for each string, comma, bracket and brace of a JSON text; for a string once, with its opening quote. Stops
 * at a string without an end.
 *
 * @param visit `depth` is the number of open lists and objects after the mark, `end` the index of its last character
 */
function visitMarks(
  text: string,
  visit: (code: number, index: number, depth: number, end: number) => void,
): void {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Fast path: white space and digits.
    if (code < QUOTE || (code > COMMA && code < OPENING_BRACKET)) continue;
    if (code === QUOTE) {
      const end = findStringEnd(text, index);
      if (end === -1) return;
      visit(code, index, depth, end);
      index = end;
    } else if (code === COMMA) visit(code, index, depth, index);
    else if (isOpening(code)) visit(code, index, (depth += 1), index);
    else if (isClosing(code)) visit(code, index, (depth -= 1), index);
  }
}

function isOpening(code: number): boolean {
  return code === OPENING_BRACKET || code === OPENING_BRACE;
}

function isClosing(code: number): boolean {
  return code === CLOSING_BRACKET || code === CLOSING_BRACE;
}

/** Returns the index of the closing quote of the string that begins at `start`; -1 if there is none. */
function findStringEnd(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  // Fast path: most strings have no escaped quote.
  if (quote === -1 || text.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) return index;
  }
  return -1;
}

/** Returns the first character after `index` that is no white space; `NaN` at the end of the text. */
function readNext(text: string, index: number): number {
  let next = index + 1;
  while (text.charCodeAt(next) <= SPACE) next += 1;
  return text.charCodeAt(next);
}
