import { createOpenApi } from '../src/emulator/openapi.js';

/** A graphql-codegen plugin, by which `codegen.ts` writes `schema/study-api.openapi.json`. */
export function plugin(): string {
  return `${JSON.stringify(createOpenApi(), null, 2)}\n`;
}
