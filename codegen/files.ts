import { toOpenApi } from '../packages/emulator/src/index.js';
import { subgraphSdl } from '../src/features/federation/subgraph.js';
import { schema } from '../src/graphql/schema.js';
import { toSdl } from '../src/graphql/sdl.js';
import { schema as clientSchema } from './client-schema.js';

/** Texts of the files that `codegen.ts` writes, by the name that it gives as `content`. */
const contents = {
  sdl: () => toSdl(schema),
  subgraph: () => subgraphSdl,
  /** The schema for the codegen of frontends. */
  codegen: () => toSdl(clientSchema),
  openapi: () => `${JSON.stringify(toOpenApi(), null, 2)}\n`,
};

export function plugin(_: unknown, __: unknown, { content }: { content: keyof typeof contents }) {
  return contents[content]();
}
