import { toOpenApi } from '../packages/emulator/src/index.js';

/** Writes the OpenAPI document of the emulator. */
export function plugin() {
  return `${JSON.stringify(toOpenApi(), null, 2)}\n`;
}
