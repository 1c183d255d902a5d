const QUOTE = 34;
const COMMA = 44;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const OPENING_BRACE = 123;

/**
 * Returns whether a JSON text has more than `max` commas and opening brackets outside of its strings. There is one for each
 * value but the first. The count of a text that is no JSON has no meaning.
 */
export function hasMoreSeparators(text: string, max: number): boolean {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = findStringEnd(text, index);
    else if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) count += 1;
    if (count > max) return true;
  }
  return false;
}

/** Returns the index of the closing quote of the string that begins at `start`, or the end of the text. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
