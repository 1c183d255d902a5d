import type { FastifyRequest } from 'fastify';

/** Returns the query string of the URL including its `?`, or '' without one. */
export function toSearch({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
