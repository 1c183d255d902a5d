import type { ExplainContext } from './features/explain/explain.js';
import type { MutationRateContext } from './features/rate-limits/mutation-rate.listener.js';
import type { OperationContext } from './graphql/request-context.js';
import type { SubgraphContext } from './graphql/subgraph.js';
import type { Field } from './rest/operation.js';
import type { StudyContext } from './study/study.resolver.js';
import type { TraceContext } from './telemetry/operation-trace.js';

/** The context of one operation, joined from the slices that the capabilities declare. */
export interface Context
  extends OperationContext, TraceContext, ExplainContext, MutationRateContext {
  at(field: Field): FieldContext;
}

/** The context of one root field, from which its resolver gets what it may call. */
export interface FieldContext extends StudyContext, SubgraphContext {}
