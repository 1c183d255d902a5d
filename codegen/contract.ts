import { toContractSchema } from '../packages/contract/src/index.js';
import { toOpenApi } from '../packages/emulator/src/index.js';

/** Writes the JSON Schema of a contract, or the OpenAPI document of the emulator. */
export function plugin(_: unknown, __: unknown, { content }: { content: 'schema' | 'openapi' }) {
  const json = content === 'schema' ? toContractSchema() : toOpenApi();
  return `${JSON.stringify(json, null, 2)}\n`;
}
