import type { FastifyRequest } from 'fastify';
import { ApiError } from './api.error.js';

const header = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The request's bearer token by RFC 6750's syntax; `undefined` when it has none. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return header.exec(request.headers.authorization ?? '')?.[1];
}

/** @throws {ApiError} 401 when the request has no token or one that is not in `tokens` */
export function requireToken(request: FastifyRequest, tokens: ReadonlySet<string>): string {
  const token = bearerToken(request);
  if (token === undefined) throw unauthorized('Not authenticated');
  if (!tokens.has(token)) throw unauthorized('Invalid token');
  return token;
}

function unauthorized(detail: string): ApiError {
  return new ApiError(401, detail, { 'www-authenticate': 'Bearer' });
}
