import { assertJsonSize, FREE_LENGTH, JsonExcessError, toOutline } from './json-size.js';

declare global {
  interface JSON {
    /** Returns a frozen object that JSON.stringify writes as `text`, the JSON text of a primitive value. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** Maximum number of numbers that a double would change in a JSON text. */
const MAX_INEXACT_NUMBERS = 50_000;
/** Maximum length in characters of an outline that is searched for the id. */
const MAX_OUTLINE_LENGTH = 65_536;

/** Throws `TypeError` on invalid UTF-8, and drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the JSON of an answer, with its numbers exact.
 *
 * @throws SyntaxError when `text` is not JSON
 * @throws JsonExcessError with an `outline` when `text` has too many parts to be read
 */
export function parseAnswer(text: string): unknown {
  try {
    if (text.length > FREE_LENGTH) assertJsonSize(text);
    return parseExactJson(text, MAX_INEXACT_NUMBERS);
  } catch (error) {
    if (!(error instanceof JsonExcessError)) throw error;
    throw Object.assign(error, { outline: toOutline(text).slice(0, MAX_OUTLINE_LENGTH) });
  }
}

/** Returns the JSON value of a body, or `undefined` if the body is not JSON in UTF-8, or has too many parts to be read. */
export function parseJson(body: Buffer): unknown {
  try {
    return parseAnswer(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON like JSON.parse, except for numbers whose value or sign would change in a double, such as
 * `12345678901234567890`, `1e400` and `-0`. Each of these numbers becomes the `JSON.rawJSON` object of its text, which
 * JSON.stringify writes unchanged.
 *
 * @param maxInexact maximum number of these numbers. Default: no limit
 * @throws SyntaxError when `text` is not JSON
 * @throws JsonExcessError when `text` has more than `maxInexact` of these numbers
 */
export function parseExactJson(text: string, maxInexact = Infinity): unknown {
  const value: unknown = JSON.parse(text);
  return hasInexactNumber(text) ? parseValidJson(text, maxInexact) : value;
}

// Outside of strings, a number ends before one of `,]}`, white space or the end of the text. The quantifiers are bounded,
// because long matches overflow the stack of V8's regular expressions.
const NEGATIVE_ZERO = /-0(?:\.0{1,15})?(?:[eE][+-]?\d{1,2})?(?![^\s,\]}])/y;
const LONG_EXPONENT = /\d[eE][+-]?\d{3}(?:\d{18}|\d{0,17}(?![^\s,\]}]))/;
const LONG_NUMBER = /(?<![^\s:,[])-?\d[\d.]{15,400}(?:[eE][+-]?\d{1,20})?/g;
/** Length in characters from which `LONG_NUMBER` may match only a part of the number. */
const MAX_MATCH_LENGTH = 400;

/**
 * Returns false if every number in `text` keeps its value and sign in a double. May return true for digits in a string. A
 * double keeps every number with at most 15 digits and an exponent of at most two digits, except -0.
 */
function hasInexactNumber(text: string): boolean {
  if (hasNegativeZero(text) || LONG_EXPONENT.test(text)) return true;
  if (!hasLongNumber(text)) return false;
  for (const [number] of text.matchAll(LONG_NUMBER))
    if (number.length >= MAX_MATCH_LENGTH || !isExact(number)) return true;
  return false;
}

// The next two functions read every answer. A regular expression would look at all characters, and take twice to ten times
// as long.

function hasNegativeZero(text: string): boolean {
  for (let index = text.indexOf('-0'); index !== -1; index = text.indexOf('-0', index + 2)) {
    if (isDigit(text.charCodeAt(index + 2))) continue;
    NEGATIVE_ZERO.lastIndex = index;
    if (NEGATIVE_ZERO.test(text)) return true;
  }
  return false;
}

/** Length of the shortest run of digits and points that a double may change. */
const LONG = 16;

/** Returns true if `text` has a run of `LONG` digits and points. Each such run has one of the characters that are looked at. */
function hasLongNumber(text: string): boolean {
  for (let index = LONG - 1; index < text.length; index += LONG) {
    let start = index;
    while (isDigitOrPoint(text.charCodeAt(start))) start -= 1;
    if (start === index) continue;
    let end = index + 1;
    while (end - start <= LONG && isDigitOrPoint(text.charCodeAt(end))) end += 1;
    if (end - start > LONG) return true;
  }
  return false;
}

/** @param code a UTF-16 code unit; NaN outside of a text */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isDigitOrPoint(code: number): boolean {
  return isDigit(code) || code === 46;
}

/** Returns true if JSON.stringify writes the double nearest to `text`, a JSON number, with the value and sign of `text`. */
function isExact(text: string): boolean {
  const number = Number(text);
  const written = String(number);
  if (written === text) return true;
  if (!Number.isFinite(number) || Object.is(number, -0)) return false;
  // Of two different texts without a fraction and an exponent, the normal forms differ too.
  if (!/[.e]/i.test(text) && !written.includes('e')) return false;
  return toNormalForm(written) === toNormalForm(text);
}

/** Returns the significant digits and the exponent of a decimal number: numbers of equal value have equal normal forms. */
function toNormalForm(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^-?0*/, '');
  let length = digits.length;
  // Not by `/0+$/`, which takes quadratic time.
  while (digits[length - 1] === '0') length -= 1;
  if (length === 0) return '0';
  const power = Number(exponent) - fraction.length + digits.length - length;
  return `${whole.startsWith('-') ? '-' : ''}${digits.slice(0, length)}e${power}`;
}

/**
 * Parses text that JSON.parse has accepted. JSON.parse with a reviver would do too, but takes up to 50 times as long as
 * without, and overflows the stack at a nesting depth of 3,000.
 */
function parseValidJson(text: string, maxInexact: number): unknown {
  /** The parsed values that are not yet in a container, and the names before them. */
  const values: unknown[] = [];
  /** Index in `values` of the first value of each open container, outermost first. */
  const starts: number[] = [];
  let inexact = 0;

  for (let index = 0; index < text.length;) {
    const start = index++;
    const char = text[start]!;
    if (char === '[' || char === '{') starts.push(values.length);
    else if (char === ']') values.push(values.splice(starts.pop()!));
    else if (char === '}') values.push(toObject(values.splice(starts.pop()!)));
    else if (char === '"') {
      index = findStringEnd(text, start);
      values.push(readString(text.slice(start, index)));
    } else if (!isSeparator(text.charCodeAt(start))) {
      while (index < text.length && !isSeparator(text.charCodeAt(index))) index += 1;
      const value = readLiteral(text.slice(start, index));
      if (JSON.isRawJSON(value)) inexact += 1;
      if (inexact > maxInexact)
        throw new JsonExcessError(maxInexact, 'numbers that a double would change');
      values.push(value);
    }
  }
  return values[0];
}

/** @param parts names and values by turns */
function toObject(parts: readonly unknown[]): object {
  const object: Record<string, unknown> = {};
  for (let index = 0; index < parts.length; index += 2) {
    const name = String(parts[index]);
    const value = parts[index + 1];
    // An assignment to `__proto__` would set the prototype.
    if (name !== '__proto__') object[name] = value;
    else
      Object.defineProperty(object, name, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
  return object;
}

/** Returns the index after the closing quote of the string that begins at `start`. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

function readString(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** Returns true for the characters that may follow a number, `true`, `false` or `null`, and for `:`. */
function isSeparator(code: number): boolean {
  return code <= 32 || code === 44 || code === 58 || code === 93 || code === 125;
}

/** Shared, because -0 is the shortest number that a double changes: a long answer may have millions. */
const negativeZero = JSON.rawJSON('-0');

function readLiteral(literal: string): unknown {
  if (literal === '-0') return negativeZero;
  if (literal === 'true') return true;
  if (literal === 'false') return false;
  if (literal === 'null') return null;
  return isExact(literal) ? Number(literal) : JSON.rawJSON(literal);
}
