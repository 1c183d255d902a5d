import type { Context as TraceContext, Span } from '@opentelemetry/api';
import type { AnswerBytes, Bulkhead, Ledger, Step } from 'rest-outcome';
import type { Caller, Frontend } from './auth/caller.js';
import type { Ask } from './study/authorize.js';
import type { StudyApi } from './study/api.js';

/** Context of one operation. `gateway.ts` makes it, and everybody reads it. */
export interface Context {
  readonly requestId: string;
  /** Start of the operation by `performance.now()`, in ms. */
  readonly startedAt: number;
  readonly caller: Caller;
  /** Program that sends the operation, as its headers name it. Anybody may send any name. */
  readonly frontend: Frontend;
  /** Makes all REST calls of the operation, and knows what became of each. */
  readonly ledger: Ledger;
  /** APIs that the resolvers call. All operations share them; the schema, which is built at import, knows none. */
  readonly apis: Apis;
  /** Asks the addition `authorize`. `undefined` without it: then every caller may do and see everything. */
  readonly ask?: Ask;
  /** Ids that `authorize` has admitted, which errors may show; `undefined` without it: then every id may be shown. */
  readonly admittedIds?: ReadonlySet<string>;
  /** Counts the bytes of the operation's answers. `end` gives them back, once the response has been made. */
  readonly answerBytes: AnswerBytes & { end(): void };
  /** Set if tracing is on. */
  readonly trace?: Trace | undefined;
  /** The REST calls of the operation, for developers to read. Set if the request asks for an explanation. */
  readonly explanation?: object[] | undefined;
  /** Entities that a router has named in the operation, and the limit on their concurrent reads. */
  entities?: { count: number; readonly bulkhead: Bulkhead };
}

/** The context before its ledger is opened: what headers, keys and listeners of REST calls get. */
export type CallContext = Omit<Context, 'ledger'>;

/** One API for each noun. */
interface Apis {
  readonly studies: StudyApi;
}

/** What `@Ctx()` is in a resolver. */
export interface ResolverContext extends Apis {
  /** The calls that the root field may make. */
  readonly step: Step;
  readonly context: Context;
}

export interface Trace {
  readonly traceId: string;
  /** Span of the operation. A span that is never ended is never exported. */
  readonly span: Span;
  /** Context whose span is the parent of the operation's REST calls. */
  readonly context: TraceContext;
}
