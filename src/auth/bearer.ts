import type { IncomingHttpHeaders } from 'node:http';
import { MAX_TOKEN_LENGTH, TOKEN_CHARACTERS } from '../config/values.js';
import { Refusal } from '../errors/refusal.js';

/** Matches the value of an Authorization header with a bearer token, which is group 1. Ignores the case of `Bearer`. */
const CREDENTIALS_PATTERN = new RegExp(`^bearer +(${TOKEN_CHARACTERS}+=*)$`, 'i');

export function refused(message: string): Refusal {
  return new Refusal('UNAUTHENTICATED', message, { status: 401 });
}

/**
 * Returns the bearer token of a request.
 *
 * @param headers headers in which Node has joined those of one name, by commas: http/app.ts says so
 * @param whose words before "token" in the error message: "the Study API" or "your"
 * @throws Refusal `UNAUTHENTICATED` when the Authorization header is missing, repeated, too long or not a bearer token
 */
export function readBearerToken({ authorization }: IncomingHttpHeaders, whose: string): string {
  if (authorization === undefined)
    throw refused(`Send ${whose} token as "Authorization: Bearer <API_TOKEN>".`);
  // Checked before the pattern runs, so that the pattern never scans a long header.
  if (authorization.length > MAX_TOKEN_LENGTH + 'Bearer '.length)
    throw refused(`The bearer token is longer than ${MAX_TOKEN_LENGTH} bytes.`);
  const token = CREDENTIALS_PATTERN.exec(authorization)?.[1];
  if (token === undefined)
    throw refused('The Authorization header holds no bearer token (RFC 6750).');
  return token;
}

/**
 * Returns the `WWW-Authenticate` header of a refused request (RFC 6750 §3). The header names an error only if the
 * request had a bearer token.
 */
export function toChallenge(
  refusal: 'UNAUTHENTICATED' | 'FORBIDDEN',
  authorization: string | undefined,
): string {
  const challenge = 'Bearer realm="study-gateway"';
  if (refusal === 'FORBIDDEN') return `${challenge}, error="insufficient_scope"`;
  return /^bearer /i.test(authorization ?? '') ? `${challenge}, error="invalid_token"` : challenge;
}
