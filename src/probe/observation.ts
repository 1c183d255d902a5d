import type { FailureName } from '../rest/failures.js';

/** One field of a study: its type, never its value. */
export interface FieldFacts {
  /** `a string`, `null`, `nothing` where the field is missing. */
  readonly type: string;
  /** What came where the schema of study.wire expects something else: `a number`, `null inside`. */
  readonly fault?: string | undefined;
}

/** One study of an answer. Ids are aliases: numbers in the order in which the probe met the ids. */
export interface StudyFacts {
  /** The fields of the contract, also missing ones, and then further fields; by their names on the wire. */
  readonly fields: ReadonlyMap<string, FieldFacts>;
  readonly id?: number | undefined;
  readonly projectId?: number | undefined;
  /** How `createdAt` is written: `RFC 3339`, `without an offset`; `undefined` where it is no string. */
  readonly createdAt?: string | undefined;
  /** Whether all of `knowledgeGraphs`, one at least, are names of strategies. */
  readonly hasStrategiesAsGraphs: boolean;
}

/** How a number of a page compares with what was asked for. */
type Echo = 'as asked' | 'another' | 'none';

export interface PageFacts {
  /** Types of `items`, `total`, `page`, `size` and `pages`. */
  readonly parts: ReadonlyMap<string, string>;
  readonly page: Echo;
  readonly size: Echo;
}

/** One request and its answer: statuses, types, lengths and times, never a value. */
export interface Observation {
  /** 3 is `GET #3`. */
  readonly number: number;
  /** Id of the step that asked. */
  readonly step: string;
  /** Aliases of the ids in the request. */
  readonly asked: readonly number[];
  /** Whose id `$STUDY_ID` or `$PROJECT_ID` stands for. */
  readonly origin?: string | undefined;
  /** `undefined` when no whole answer came. */
  readonly status?: number | undefined;
  /** Why no whole answer came; `unreadableAnswer` of one that was too long. */
  readonly failure?: { readonly name: FailureName; readonly message: string } | undefined;
  readonly ms: number;
  /** Length of the body as received. */
  readonly bytes: number;
  /** `application/json`; `another` or `none` for what is not known. */
  readonly mediaType: string;
  /** `none`, `gzip`; `another` for what the gateway cannot read. */
  readonly encoding: string;
  /** Form of `Retry-After`: `seconds`, `a date`, `neither`. */
  readonly retryAfter?: string | undefined;
  /** JSON type of the body; `nothing` when it is no JSON. */
  readonly type: string;
  readonly isFastApiError: boolean;
  /** The study of a read, or the items of a list. */
  readonly studies: readonly StudyFacts[];
  readonly page?: PageFacts | undefined;
}

/** All that checks may look at. */
export interface Evidence {
  readonly observations: readonly Observation[];
  /** Why the probe ended before its last request. */
  readonly stopped?: string | undefined;
}

export function isSuccess({ status = 0, failure }: Observation): boolean {
  return status >= 200 && status < 300 && !failure;
}

/** The observations of steps that were answered with a 2xx, and whole. */
export function toAnswers(evidence: Evidence, ...steps: readonly string[]): Observation[] {
  return evidence.observations.filter((one) => steps.includes(one.step) && isSuccess(one));
}
