import type { JsonCall } from 'rest-outcome';

/** Maximum length of a text that is passed on, in characters. */
const MAX_TEXT_LENGTH = 200;
/** Maximum length of the part of a text that is examined, in characters. The rest is dropped. */
const MAX_EXAMINED_LENGTH = 1_000;

/** Length of the parts into which a long token is divided to find it, in letters and digits. */
const BLOCK_LENGTH = 8;

/** Matches white space and control characters. */
const SPACES = /[\s\p{Cc}]+/gu;
/** Matches characters that are not visible: bidirectional controls, zero-width characters, lone surrogates, private use. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]+/gu;

/** Matches a tag, a comment or an entity of HTML. `a < b` is none. */
const HTML = /<[a-z/!?]|&(?:[a-z]\w*|#\w+);/i;

/** Match texts that describe the inside of a server rather than the refused request. */
const internals: readonly RegExp[] = [
  // Stack traces of Node and Java, and of Python; packages.
  /\bat [\w.$<>]+ ?\([^()\s]*:\d|\bTraceback \(|\bFile "|node_modules/,
  // Absolute and relative paths of two names or more. A date such as 12/31/2024 is none.
  /\/\d*[a-z_.@-][\w.@-]*\/\d*[a-z_.@-]|\b[a-z]:\\/i,
  // Addresses and system errors.
  /\w:\/\/|\blocalhost\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/i,
  /\b(?:E(?:CONN|HOST|NET|ADDR)[A-Z]+|ENOTFOUND|EPIPE|ETIMEDOUT|ENOENT)\b/,
];

/** Returns true for a text that holds a token, or is a long part of a token. */
export type TokenSearch = (text: string) => boolean;

/**
 * Makes plain text of a text of the API: one line of visible characters, at most 200. Returns `undefined` for an empty
 * text, and for a text with HTML, internals of a server, or the token: such a text is dropped whole, because its rest
 * could show what was removed.
 */
export function toPlainText(text: string, hasToken: TokenSearch): string | undefined {
  const examined = text.slice(0, MAX_EXAMINED_LENGTH);
  const plain = examined.replace(SPACES, ' ').replace(INVISIBLE, '').trim();
  if (plain === '' || HTML.test(plain) || hasToken(plain)) return undefined;
  if (internals.some((pattern) => pattern.test(plain))) return undefined;
  return cut(plain, MAX_TEXT_LENGTH);
}

/** Cuts a text to `length` characters, of which the last is `…`. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/**
 * Creates the function that finds the bearer token of a call in a text: in any letter case and with other separators. The function also
 * finds each part of 15 letters and digits of a long token, and a text that is a part of 8 characters or more.
 */
export function createTokenSearch(headers: JsonCall['headers']): TokenSearch {
  const { authorization = '' } = headers;
  const whole = authorization.replace(/^Bearer /, '').toLowerCase();
  const core = toCore(whole);
  const isLong = core.length >= 2 * BLOCK_LENGTH;
  // At least 1, because a token may have no letters and digits.
  const length = isLong ? BLOCK_LENGTH : Math.max(core.length, 1);
  // Every run of 15 characters of the token contains one of these blocks. A set costs each text the same for any token.
  const blocks = new Set<string>();
  for (let end = length; end <= core.length; end += length)
    blocks.add(core.slice(end - length, end));
  return (text) => {
    const lower = text.toLowerCase();
    if (lower.includes(whole)) return true;
    if (lower.length >= BLOCK_LENGTH && whole.includes(lower)) return true;
    const found = toCore(lower);
    for (let end = length; end <= found.length; end += 1)
      if (blocks.has(found.slice(end - length, end))) return true;
    return false;
  };
}

/** Returns the letters and digits of a text. */
function toCore(lower: string): string {
  return lower.replaceAll(/[^a-z0-9]+/g, '');
}
