import type { Caller } from '../study/study.api.js';

/** The slice of the context that every operation has. */
export interface RequestContext {
  readonly requestId: Caller['requestId'];
  /** By `performance.now()`, in ms. */
  readonly startedAt: number;
  readonly caller: Caller;
}
