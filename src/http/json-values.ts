const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * Counts the values in a JSON text: strings, numbers, `true`, `false`, `null`, lists and objects, at every level. Keys do not
 * count. Reads each byte once and parses nothing. The count of a text that is not JSON has no meaning.
 */
export function countJsonValues(text: Uint8Array): number {
  // A list or an object has one value more than it has commas, unless it is empty.
  let count = 1;
  let isAfterOpening = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index]!;
    if (byte <= SPACE) continue;
    const isOpening = byte === OPENING_BRACKET || byte === OPENING_BRACE;
    if (isOpening || byte === COMMA) count++;
    else if (byte === QUOTE) index = findEndOfString(text, index);
    else if (isAfterOpening && (byte === CLOSING_BRACKET || byte === CLOSING_BRACE)) count--;
    isAfterOpening = isOpening;
  }
  return count;
}

/** Returns the index of the quote that ends the string which begins at `start`. */
function findEndOfString(text: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== QUOTE) index += text[index] === BACKSLASH ? 2 : 1;
  return index;
}
