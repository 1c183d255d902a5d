import type { FastifyRequest } from 'fastify';
import { ApiError } from './answers.js';

const header = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Returns the request's bearer token; `undefined` if the header has none in the syntax of RFC 6750. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return header.exec(request.headers.authorization ?? '')?.[1];
}

/**
 * The accepted tokens, each mapped to the token that owns the visible studies: the token itself, or the demo token if
 * the token belongs to a scenario.
 */
export type Owners = ReadonlyMap<string, string>;

/**
 * Returns the token that owns the studies which the request may see.
 *
 * @throws {ApiError} 401 when the request has no token or a token that is not in `owners`
 */
export function requireOwner(request: FastifyRequest, owners: Owners): string {
  const token = bearerToken(request);
  const owner = token === undefined ? undefined : owners.get(token);
  if (owner !== undefined) return owner;
  const detail =
    token === undefined ? 'Not authenticated' : `Invalid token: use ${[...owners.keys()][0]}`;
  throw new ApiError(401, detail, { 'www-authenticate': 'Bearer' });
}
