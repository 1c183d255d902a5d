declare global {
  interface JSON {
    /** Returns a frozen object that JSON.stringify writes as `text`, the JSON text of a primitive value. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

/** @param context has the text of a primitive value */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Throws `TypeError` on invalid UTF-8, and drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Matches a number that a double may change: -0, or one with 16 digits or an exponent. May match in a string, too. */
const INEXACT = /[:,[]\s*(?:-?[\d.]{16}|(?:-0(?:\.0*)?|-?[\d.]{1,15}[eE][+-]?\d+)\s*[,\]}])/;
/** Matches a number that a double keeps, but for the sign of -0. */
const EXACT = /^-?(?:[\d.]{1,15}(?:[eE][+-]?\d{1,2})?|\d{1,15}\.0+)$/;

/**
 * Parses JSON like JSON.parse, except for numbers whose value or sign may change in a double, such as
 * `12345678901234567890`, `1e400` and `-0`. Each of these numbers becomes the `JSON.rawJSON` object of its text, which
 * JSON.stringify writes unchanged. A text with such a number takes several times as long, because of the reviver.
 *
 * @throws SyntaxError when `text` is not JSON; RangeError when it has such a number and is nested too deeply
 */
export function parseExactJson(text: string): unknown {
  return INEXACT.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
}

/** Returns the JSON value of a body, or `undefined` if the body is not JSON in UTF-8. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** One object for every `-0`: 1 MiB of them takes half as long. */
const negativeZero = JSON.rawJSON('-0');

const keepExact: Reviver = (_, value, { source = '' } = {}) => {
  if (Object.is(value, -0)) return source === '-0' ? negativeZero : JSON.rawJSON(source);
  const isExact = typeof value !== 'number' || String(value) === source || EXACT.test(source);
  return isExact ? value : JSON.rawJSON(source);
};
