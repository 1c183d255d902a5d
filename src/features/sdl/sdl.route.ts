import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { toSdl } from '../../graphql/sdl.js';
import type { AppPart } from '../../http/app.js';

export interface SdlOptions {
  readonly introspection: boolean;
  /** A manifest of documents refuses introspection too. */
  readonly trustedDocuments: string | undefined;
}

/**
 * `/schema.graphql`: the schema as text, for code generators. It has `@semanticNonNull`, which introspection cannot carry; who
 * may not introspect does not get it either.
 */
export function addSdl(
  schema: GraphQLSchema,
  { introspection, trustedDocuments }: SdlOptions,
): AppPart | undefined {
  if (!introspection || trustedDocuments !== undefined) return undefined;
  let printed: { readonly sdl: string; readonly etag: string } | undefined;
  return (app) =>
    void app.get('/schema.graphql', (request, reply) => {
      // Printed for the first who asks: the start need not wait for it.
      const { sdl, etag } = (printed ??= printWithTag(schema));
      void reply.headers({ 'cache-control': 'no-cache', etag });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type('text/plain; charset=utf-8').send(sdl);
    });
}

function printWithTag(schema: GraphQLSchema) {
  const sdl = toSdl(schema);
  return { sdl, etag: `"${createHash('sha256').update(sdl).digest('base64url')}"` };
}
