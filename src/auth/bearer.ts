import type { IncomingMessage } from 'node:http';
import { UnauthenticatedError } from './unauthenticated.error.js';

const NAME = 'authorization';
/** The longest bearer token that is passed on: 8 KiB. */
const MAX_TOKEN_LENGTH = 8192;
/** `credentials` of RFC 6750 §2.1; the scheme in any letter case, as RFC 9110 §11.1 has it. */
const BEARER_PATTERN = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The bearer token of a request.
 *
 * @param whose token is asked for when there is none: "the Study API"
 * @throws UnauthenticatedError when there is none, more than one, or one that is no bearer token
 */
export function readBearerToken(request: IncomingMessage, whose: string): string {
  const header = request.headers.authorization;
  if (header === undefined)
    throw new UnauthenticatedError(`Send ${whose} token as "Authorization: Bearer <API_TOKEN>".`);
  if (hasSeveral(request))
    throw new UnauthenticatedError('The request has more than one Authorization header.');
  // Its length first: the pattern need not look at what is refused anyway.
  if (header.length > MAX_TOKEN_LENGTH + 'Bearer '.length)
    throw new UnauthenticatedError(`The bearer token is longer than ${MAX_TOKEN_LENGTH} bytes.`);
  const token = BEARER_PATTERN.exec(header)?.[1];
  if (token === undefined)
    throw new UnauthenticatedError('The Authorization header holds no bearer token (RFC 6750).');
  return token;
}

/** `headers` holds the first of several. */
function hasSeveral({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === NAME.length && rawHeaders[index]!.toLowerCase() === NAME)
      count += 1;
  return count > 1;
}

/** `WWW-Authenticate` of RFC 6750 §3; what is wrong is said only to whom has sent a bearer token. */
export function toChallenge(
  refusal: 'UNAUTHENTICATED' | 'FORBIDDEN',
  authorization: string | undefined,
): string {
  const challenge = 'Bearer realm="study-gateway"';
  if (refusal === 'FORBIDDEN') return `${challenge}, error="insufficient_scope"`;
  return /^bearer /i.test(authorization ?? '') ? `${challenge}, error="invalid_token"` : challenge;
}
