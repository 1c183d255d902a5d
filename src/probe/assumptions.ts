import type { Assumption } from './assumption.js';
import { fieldAssumptions } from './field.assumptions.js';
import { httpAssumptions } from './http.assumptions.js';
import { listAssumptions } from './list.assumptions.js';
import { readAssumptions } from './read.assumptions.js';
import { refusalAssumptions } from './refusal.assumptions.js';
import { writeAssumptions } from './write.assumptions.js';

/** Everything on the Study API that the gateway relies on. The table of docs/study-api.md is made from the list. */
export const assumptions: readonly Assumption[] = [
  ...httpAssumptions,
  ...refusalAssumptions,
  ...readAssumptions,
  ...fieldAssumptions,
  ...listAssumptions,
  ...writeAssumptions,
];
