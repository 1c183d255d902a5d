import { schema } from '../src/graphql/schema.js';
import { toSdl } from '../src/graphql/sdl.js';

/** Writes `schema/schema.graphql`, the text that the gateway serves at `/schema.graphql`. */
export function plugin(): string {
  return toSdl(schema);
}
