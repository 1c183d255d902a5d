import type { FastifyRequest } from 'fastify';
import { ApiError } from './api.error.js';

const header = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The request's bearer token by RFC 6750's syntax; `undefined` without a token. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return header.exec(request.headers.authorization ?? '')?.[1];
}

/** The accepted tokens, each with the token that owns its studies: the token itself, or the demo token for a scenario's. */
export type Owners = ReadonlyMap<string, string>;

/** @throws {ApiError} 401 when the request has no token or a token that is not in `owners` */
export function requireOwner(request: FastifyRequest, owners: Owners): string {
  const token = bearerToken(request);
  if (token === undefined) throw unauthorized('Not authenticated');
  const owner = owners.get(token);
  if (owner === undefined) throw unauthorized(`Invalid token: use ${[...owners.keys()][0]}`);
  return owner;
}

function unauthorized(detail: string): ApiError {
  return new ApiError(401, detail, { 'www-authenticate': 'Bearer' });
}
