import type { FailureName } from 'rest-outcome';
/** Facts about one field of a study: its type, never its value. */
export interface FieldFacts {
  /** JSON type in words, such as `a string` or `null`; `nothing` if the field is missing. */
  readonly type: string;
  /** Received type or format, if the schema of study.wire refuses the value: `a number`, `null inside`, `a date`. */
  readonly fault?: string | undefined;
}

/** Facts about one study of an answer. Ids are aliases: numbers in the order in which the probe received the ids. */
export interface StudyFacts {
  /** Facts by wire name: first all fields of the contract, even missing ones, then further fields. */
  readonly fields: ReadonlyMap<string, FieldFacts>;
  readonly id?: number | undefined;
  readonly projectId?: number | undefined;
  /** Whether `createdAt` ends with an offset; `undefined` if `createdAt` is not a string. */
  readonly hasOffset?: boolean | undefined;
  /** True if `knowledgeGraphs` has at least one element, and every element is the name of a strategy. */
  readonly hasStrategiesAsGraphs: boolean;
}

/** Compares `page` or `size` in an answer with the requested number. `none`: the answer has no number there. */
type Echo = 'as asked' | 'another' | 'none';

/** Facts about one page of the list. */
export interface PageFacts {
  /** Types of `items`, `total`, `page`, `size` and `pages`. */
  readonly parts: ReadonlyMap<string, string>;
  readonly page: Echo;
  readonly size: Echo;
}

/** One request and its answer: statuses, types, lengths and times, never values. */
export interface Observation {
  /** Number of the request in this run; 3 for `GET #3`. */
  readonly number: number;
  /** Id of the step that sent the request. */
  readonly step: string;
  /** Aliases of the ids in the request. */
  readonly asked: readonly number[];
  /** Source of the id in the request, such as `item 1 of GET #1`; `undefined` if the request has no such id. */
  readonly origin?: string | undefined;
  /** HTTP status; `undefined` if none arrived. */
  readonly status?: number | undefined;
  /** Reason why there is no complete answer. The name is `unreadableAnswer` if the answer was too long. */
  readonly failure?: { readonly name: FailureName; readonly message: string } | undefined;
  readonly ms: number;
  /** Length of the body before decompression. */
  readonly bytes: number;
  /** Content type such as `application/json`; `another` for an unexpected one, `none` without the header. */
  readonly mediaType: string;
  /** Content encoding such as `gzip`; `another` for one that the gateway cannot decode, `none` without the header. */
  readonly encoding: string;
  /** Format of `Retry-After`: `seconds`, `a date` or `neither`; `undefined` without the header. */
  readonly retryAfter?: string | undefined;
  /** JSON type of the body in words; `nothing` if the body is not JSON. */
  readonly type: string;
  /** True if the body has the format of FastAPI's 422. */
  readonly isFastApiError: boolean;
  /** Studies in the body: the study of a read, or the items of a list. */
  readonly studies: readonly StudyFacts[];
  readonly page?: PageFacts | undefined;
}

/** Everything that one run has observed: the input of all checks. */
export interface Evidence {
  readonly observations: readonly Observation[];
  /** Why the probe stopped early; `undefined` if it ran to its end. */
  readonly stopped?: string | undefined;
}

/** Returns true if the answer is complete and its status is 2xx. */
export function isSuccess({ status = 0, failure }: Observation): boolean {
  return status >= 200 && status < 300 && !failure;
}

/** Returns the successful observations of the given steps. */
export function toAnswers(evidence: Evidence, ...steps: readonly string[]): Observation[] {
  return evidence.observations.filter((one) => steps.includes(one.step) && isSuccess(one));
}
