import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { toSdl } from '../../graphql/sdl.js';
import type { AppPart } from '../../http/app.js';

export interface SdlOptions {
  readonly introspection: boolean;
  /** Path of the manifest of trusted documents. If set, clients cannot introspect the schema. */
  readonly trustedDocuments: string | undefined;
}

/**
 * Adds `GET /schema.graphql`: the SDL of the schema, for code generators. Unlike introspection, the SDL shows which
 * fields have `@semanticNonNull`. Returns `undefined` if clients may not introspect the schema.
 */
export function addSdl(
  schema: GraphQLSchema,
  { introspection, trustedDocuments }: SdlOptions,
): AppPart | undefined {
  if (!introspection || trustedDocuments !== undefined) return undefined;
  let printed: { readonly sdl: string; readonly etag: string } | undefined;
  return (app) =>
    void app.get('/schema.graphql', (request, reply) => {
      // Prints the schema at the first request, so that the start of the gateway is not delayed.
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
