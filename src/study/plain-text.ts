import type { Entry } from 'rest-outcome';
import { cut } from '../scalars/formats.js';

/** Maximum length of a text that is passed on, in characters. */
const MAX_TEXT_LENGTH = 200;

/** Matches white space and control characters. */
const SPACES = /[\s\p{Cc}]+/gu;
/** Matches characters that are not visible: bidirectional controls, zero-width characters, lone surrogates, private use. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]+/gu;

/** Returns true for a text that contains the token of a call. */
export type TokenSearch = (text: string) => boolean;

/**
 * Makes plain text of a text of the API: one line of visible characters, at most 200. Returns `undefined` for an empty
 * text, and for a text with `<` or the token: such a text is dropped whole, because its rest could show what was removed.
 */
export function toPlainText(text: string, hasToken: TokenSearch): string | undefined {
  const plain = text.replace(SPACES, ' ').replace(INVISIBLE, '').trim();
  if (plain === '' || plain.includes('<') || hasToken(plain)) return undefined;
  return cut(plain, MAX_TEXT_LENGTH);
}

/** Creates the function that finds the bearer token of a call in a text, also between characters that are not visible. */
export function createTokenSearch({ authorization = '' }: Entry['headers']): TokenSearch {
  const token = authorization.replace(/^Bearer /, '');
  return (text) => token !== '' && text.replace(INVISIBLE, '').includes(token);
}
