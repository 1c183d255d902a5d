import type { Caller } from './study/study.api.js';
import type { Explanation } from './features/explain/explain.plugin.js';
import type { RateVerdict } from './features/rate-limits/mutation-rate.plugin.js';
import type { OperationTrace } from './telemetry/operation-trace.js';
import type { StudyContext } from './study/study.resolver.js';

/** What one operation knows of its request. */
export interface Context extends StudyContext {
  readonly caller: Pick<Caller, 'logId'>;
  /** Of an operation that asked for it. */
  readonly explanation?: Explanation | undefined;
  readonly requestId: Caller['requestId'];
  /** By `performance.now()`, in ms. */
  readonly startedAt: number;
  /** Where writes are limited. */
  readonly spendMutationFields?: ((count: number) => Promise<RateVerdict>) | undefined;
  /** Where tracing is on. */
  readonly trace?: OperationTrace | undefined;
}
