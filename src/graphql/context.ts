import type { Caller } from '../study/study.api.js';
import type { StudyContext } from '../study/study.resolver.js';

/** What one operation knows of its request. */
export interface Context extends StudyContext {
  readonly requestId: Caller['requestId'];
}
