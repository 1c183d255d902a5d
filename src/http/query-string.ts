import type { FastifyRequest } from 'fastify';

/** The query string of the URL with its `?`, or ''. */
export function toSearch({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
