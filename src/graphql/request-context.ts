import type { Caller } from '../study/study.api.js';

/** Part of the GraphQL context that every operation has. */
export interface RequestContext {
  readonly requestId: Caller['requestId'];
  /** Start of the operation by `performance.now()`, in ms. */
  readonly startedAt: number;
  readonly caller: Caller;
}
