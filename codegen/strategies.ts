import { knownStrategies } from '../src/study/wire.js';
import { STRATEGY_TYPE } from './client-schema.js';

/** Writes the TypeScript types of `strategy` into `packages/client/src/generated/operations.ts`. */
export function plugin(): string {
  const names = knownStrategies.map((name) => `\n  | '${name}'`).join('');
  return `/** The documented values of \`strategy\`. */
export type Known${STRATEGY_TYPE} =${names};

/** Free text. Editors complete the documented values. */
export type ${STRATEGY_TYPE} = Known${STRATEGY_TYPE} | (string & {});
`;
}
