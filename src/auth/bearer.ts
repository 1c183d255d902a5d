import type { IncomingMessage } from 'node:http';
import { MAX_TOKEN_LENGTH, TOKEN_CHARACTERS } from '../config/config.values.js';
import { Refusal } from '../errors/refusal.js';

const NAME = 'authorization';

/** Matches the value of an Authorization header with a bearer token, which is group 1. Ignores the case of `Bearer`. */
const CREDENTIALS_PATTERN = new RegExp(`^bearer +(${TOKEN_CHARACTERS}+=*)$`, 'i');

/**
 * Returns the bearer token of a request.
 *
 * @param whose words before "token" in the error message: "the Study API" or "your"
 * @throws Refusal `UNAUTHENTICATED` when the Authorization header is missing, repeated, too long or not a bearer token
 */
export function readBearerToken(request: IncomingMessage, whose: string): string {
  const header = request.headers.authorization;
  if (header === undefined)
    throw new Refusal(
      'UNAUTHENTICATED',
      `Send ${whose} token as "Authorization: Bearer <API_TOKEN>".`,
    );
  if (hasSeveral(request))
    throw new Refusal('UNAUTHENTICATED', 'The request has more than one Authorization header.');
  // Checked before the pattern runs, so that the pattern never scans a long header.
  if (header.length > MAX_TOKEN_LENGTH + 'Bearer '.length)
    throw new Refusal(
      'UNAUTHENTICATED',
      `The bearer token is longer than ${MAX_TOKEN_LENGTH} bytes.`,
    );
  const token = CREDENTIALS_PATTERN.exec(header)?.[1];
  if (token === undefined)
    throw new Refusal(
      'UNAUTHENTICATED',
      'The Authorization header holds no bearer token (RFC 6750).',
    );
  return token;
}

/** Returns true if the request has several Authorization headers. Node's `headers` keeps only the first. */
function hasSeveral({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === NAME.length && rawHeaders[index]!.toLowerCase() === NAME)
      count += 1;
  return count > 1;
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
