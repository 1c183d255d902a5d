import { fieldAssumptions } from './field.assumptions.js';
import { httpAssumptions } from './http.assumptions.js';
import { listAssumptions } from './list.assumptions.js';
import { readAssumptions } from './read.assumptions.js';
import { writeAssumptions } from './write.assumptions.js';
import type { Assumption } from './verdict.js';

/** All assumptions about the Study API. The table in docs/study-api.md is generated from this list. */
export const assumptions: readonly Assumption[] = [
  ...httpAssumptions,
  ...readAssumptions,
  ...fieldAssumptions,
  ...listAssumptions,
  ...writeAssumptions,
];
