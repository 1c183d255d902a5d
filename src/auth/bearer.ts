import { Refusal } from '../errors/refusal.js';

export function refused(message: string): Refusal {
  return new Refusal('UNAUTHENTICATED', message, { status: 401 });
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
