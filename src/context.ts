import type { ExplainContext } from './features/explain/explain.js';
import type { MutationRateContext } from './features/rate-limits/mutation-rate.listener.js';
import type { RequestContext } from './graphql/request-context.js';
import type { StudyContext } from './study/study.resolver.js';
import type { TraceContext } from './telemetry/operation-trace.js';

/** The context of one operation, joined from the slices that the capabilities declare. */
export interface Context
  extends RequestContext, StudyContext, TraceContext, ExplainContext, MutationRateContext {}
