import type { Caller } from '../study/study.api.js';
import type { Explanation } from './explain.plugin.js';
import type { RateVerdict } from './mutation-rate.plugin.js';
import type { StudyContext } from '../study/study.resolver.js';

/** What one operation knows of its request. */
export interface Context extends StudyContext {
  /** Of an operation that asked for it. */
  readonly explanation?: Explanation | undefined;
  readonly requestId: Caller['requestId'];
  /** Where writes are limited. */
  readonly spendMutationFields?: ((count: number) => Promise<RateVerdict>) | undefined;
}
