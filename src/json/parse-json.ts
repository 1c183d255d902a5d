import { parseExactJson } from './exact-json.js';
import { assertJsonSize, JsonExcessError, toOutline } from './json-size.js';

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
    assertJsonSize(text);
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
