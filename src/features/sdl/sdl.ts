import type { GraphQLSchema } from 'graphql';
import type { Config } from '../../config/config.js';
import { toSdl } from '../../graphql/sdl.js';
import type { AppPart } from '../../http/app.js';

/**
 * Adds `GET /schema.graphql`: the SDL of the schema, for code generators. Unlike introspection, the SDL shows which
 * fields have `@semanticNonNull`. Returns `undefined` if clients may not introspect the schema: introspection is off, or
 * only trusted documents run.
 */
export function addSdl(
  schema: GraphQLSchema,
  { introspection }: Config['graphql'],
  { trustedDocuments }: Config['limits'],
): AppPart | undefined {
  if (!introspection || trustedDocuments !== undefined) return undefined;
  let sdl: string | undefined;
  return (app) =>
    void app.get('/schema.graphql', (_, reply) =>
      // Prints the schema at the first request, so that the start of the gateway is not delayed.
      reply.type('text/plain; charset=utf-8').send((sdl ??= toSdl(schema))),
    );
}
