import { createOpenApi } from '../packages/emulator/src/openapi.js';

/** Writes `schema/study-api.openapi.json`. */
export function plugin(): string {
  return `${JSON.stringify(createOpenApi(), null, 2)}\n`;
}
