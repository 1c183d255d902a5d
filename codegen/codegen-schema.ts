import { toSdl } from '../src/graphql/sdl.js';
import { schema } from './client-schema.js';

/** Writes `schema/codegen.graphql`, the schema for the codegen of frontends. */
export function plugin(): string {
  return toSdl(schema);
}
