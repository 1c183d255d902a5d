import { assumed, toContractSchema, toOpenApi } from '../packages/contract/src/index.js';

/** Writes the JSON Schema of a contract, or the OpenAPI document of what is assumed of an API. */
export function plugin(_: unknown, __: unknown, { content }: { content: 'schema' | 'openapi' }) {
  const json = content === 'schema' ? toContractSchema() : toOpenApi(assumed);
  return `${JSON.stringify(json, null, 2)}\n`;
}
