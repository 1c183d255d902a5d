import type { Caller } from '../study/study.api.js';

/** What every operation knows of its request. */
export interface RequestContext {
  readonly requestId: Caller['requestId'];
  /** By `performance.now()`, in ms. */
  readonly startedAt: number;
  readonly caller: Caller;
}
