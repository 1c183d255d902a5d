import type { IncomingMessage } from 'node:http';
import { CREDENTIALS_PATTERN, MAX_TOKEN_LENGTH } from './bearer-token.js';
import { UnauthenticatedError } from './unauthenticated.error.js';

const NAME = 'authorization';

/**
 * The bearer token of a request.
 *
 * @param whose owner of the token, for the message when there is none: "the Study API"
 * @throws UnauthenticatedError when there is none, more than one, or one that is no bearer token
 */
export function readBearerToken(request: IncomingMessage, whose: string): string {
  const header = request.headers.authorization;
  if (header === undefined)
    throw new UnauthenticatedError(`Send ${whose} token as "Authorization: Bearer <API_TOKEN>".`);
  if (hasSeveral(request))
    throw new UnauthenticatedError('The request has more than one Authorization header.');
  // Checked before the pattern, which then never looks at a long text.
  if (header.length > MAX_TOKEN_LENGTH + 'Bearer '.length)
    throw new UnauthenticatedError(`The bearer token is longer than ${MAX_TOKEN_LENGTH} bytes.`);
  const token = CREDENTIALS_PATTERN.exec(header)?.[1];
  if (token === undefined)
    throw new UnauthenticatedError('The Authorization header holds no bearer token (RFC 6750).');
  return token;
}

/** Whether the request has several headers of that name; `headers` holds only the first. */
function hasSeveral({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === NAME.length && rawHeaders[index]!.toLowerCase() === NAME)
      count += 1;
  return count > 1;
}

/** `WWW-Authenticate` of RFC 6750 §3. Only a request with a bearer token is told what is wrong with it. */
export function toChallenge(
  refusal: 'UNAUTHENTICATED' | 'FORBIDDEN',
  authorization: string | undefined,
): string {
  const challenge = 'Bearer realm="study-gateway"';
  if (refusal === 'FORBIDDEN') return `${challenge}, error="insufficient_scope"`;
  return /^bearer /i.test(authorization ?? '') ? `${challenge}, error="invalid_token"` : challenge;
}
