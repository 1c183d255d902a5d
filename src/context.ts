import type { Step } from 'rest-outcome';
import type { ExplainContext } from './features/explain/explain.js';
import type { RateContext } from './features/rate-limits.js';
import type { RequestContext } from './auth/caller.js';
import type { OperationContext } from './graphql/operation-listener.js';
import type { SubgraphContext } from './graphql/subgraph.js';
import type { StudyContext } from './study/resolver.js';
import type { TraceContext } from './telemetry/tracing.js';

/** Context of one operation, joined from the slices that the features declare. */
export interface Slices extends RequestContext, TraceContext, ExplainContext, RateContext {
  readonly answerBytes: OperationContext['answerBytes'];
}

export interface Context extends Slices, OperationContext {
  at(step: Step): FieldContext;
}

/** The context of one root field, from which its resolver gets what it may call. */
export interface FieldContext extends StudyContext, SubgraphContext {
  readonly scope: Slices;
}
