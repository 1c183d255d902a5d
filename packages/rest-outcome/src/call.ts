/** One JSON call to the REST API. */
export interface JsonCall {
  /** Any HTTP method, in capitals. `GET` is a read, and every other method a write. */
  readonly method: string;
  /** Path relative to the base URL, with the query; begins with `/` and is percent-encoded. */
  readonly path: string;
  /** Path with placeholders for ids, for logs, metrics and traces: `/orders/{id}`. */
  readonly template: string;
  /** Request headers. Each call has an object of its own, to which listeners and the client add theirs. */
  readonly headers: Record<string, string>;
  /** Property name under which a JSON array is returned. Default: an array is an unreadable answer. */
  readonly arrayAs?: string | undefined;
  /** Thing that a 2xx must show. Default: any JSON object is an answer. */
  readonly entity?: Entity | undefined;
  /** Noun of what the call reads or writes, for messages: `order`, `page of orders`. */
  readonly noun?: string | undefined;
  /** JSON text of the request body, sent unchanged. */
  readonly body?: string | undefined;
  /**
   * Idempotency key of a write that must not be sent twice: 1 to 255 characters of visible ASCII, sent as
   * `keyHeader`. `idempotent` keeps the promise, whatever the API does with the key.
   */
  readonly key?: string | undefined;
  /** Time by `performance.now()` at which the call times out. Default: `deadlineMs` of the client from now. */
  readonly deadlineAt?: number | undefined;
  /** Default: the bytes of the answer are not counted. */
  readonly answerBytes?: AnswerBytes | undefined;
  /** True if only a successful call may show its path to the caller: the path names another caller's thing. */
  readonly hidesPath?: boolean | undefined;
}

/** A call that changes nothing: `GET`. */
export interface ReadCall extends Pick<JsonCall, 'path' | 'template' | 'arrayAs' | 'noun'> {
  /** Thing that the answer must show. Default: any JSON object is an answer, such as a list. */
  readonly entity?: KnownEntity;
}

/** A call that may change something. */
export type WriteCall = CreateCall | ChangeCall;

interface CreateCall extends Pick<JsonCall, 'path' | 'template' | 'noun' | 'body' | 'key'> {
  readonly method: 'POST';
  /** Thing that the answer must show before the write counts as `APPLIED`. */
  readonly entity: Entity;
}

/** A write to a known thing, whose id an answer must show. */
interface ChangeCall extends Omit<CreateCall, 'method' | 'entity'> {
  /** Any method but `GET`. */
  readonly method: string;
  readonly entity: KnownEntity;
}

/** A write that counts as `APPLIED` after a 204, and after any 2xx with a JSON object. */
export type PlainWrite = Omit<ChangeCall, 'entity'> & { readonly entity?: undefined };

/** A call that an operation has begun. */
export interface RestCall extends JsonCall {
  /** Default: `thing`. */
  readonly noun: string;
  /** Line of the call in the ledger of its operation. Only `Operation` creates lines, so only operations send calls. */
  readonly entry: Entry;
}

/** Public part of a line of the ledger. */
export interface Entry {
  /** `UNKNOWN` until an attempt, or an earlier call with the idempotency key, proves something else. */
  readonly outcome: Outcome;
  /** Result of a call with an idempotency key; `undefined` for any other call. */
  readonly keyResult?: KeyResult | undefined;
  readonly attempts: readonly RestAttempt[];
}

/** The thing that a call reads or writes, as far as an answer can show it. */
export interface Entity {
  /**
   * Returns the id in an answer, or in the members of an answer that stand before its cut. Returns `undefined` if the id
   * is missing, and `null` if what stands in its place is no id.
   */
  readId(answer: JsonObject): string | null | undefined;
  /** Returns whether an id is that of the thing that was asked for. Default: every id, as after a create. */
  readonly isAskedFor?: (id: string) => boolean;
  /** Id of the thing that was asked for. `Operation.writes` has it where no answer shows an id. */
  readonly askedId?: string;
}

/** A thing whose id the caller knows. */
export type KnownEntity = Entity & Required<Pick<Entity, 'isAskedFor'>>;

/** One attempt of a call. `status` is `undefined` if the request got no answer or was not sent. */
export interface RestAttempt {
  readonly origin: string;
  /** Path in the request line, including the path of the base URL. */
  readonly path: string;
  /** Request headers, including the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status?: number | undefined;
}

/** One validation error that the API reports for one value of the request. */
export interface ValidationDetail {
  /** Part of the request, and path to the value: `["body", "progress", "total"]`, `["path", "id"]`, `["query", "page"]`. */
  readonly location: readonly (string | number)[];
  readonly message: string;
}

/** Counts the bytes of the answers that an operation reads, or has read. */
export interface AnswerBytes {
  /** Called with the length of each chunk. Returns false if there is no room in memory: then the call fails. */
  take(bytes: number): boolean;
  /** Called when a call has failed, with what its answer has taken. The bytes of the other answers stay taken. */
  give(bytes: number): void;
}

/**
 * Result of a call with an idempotency key:
 * - `made`: the call was made.
 * - `repeated`: the first call was applied, and the thing was read, or only its id is known.
 * - `joined`: the first call was under way in this process, and its result was shared.
 * - `reused`: refused, because the key had been used with other arguments.
 * - `unsettled`: `UNKNOWN`, because what became of the first call is not known, or is not shown to this caller.
 * - `refused`: refused, because the store could not be reached or was full.
 */
export type KeyResult = 'made' | 'repeated' | 'joined' | 'reused' | 'unsettled' | 'refused';

/** Outcomes, beginning with the one that does the most harm if a client overlooks it. */
export const outcomesByHarm = ['UNKNOWN', 'APPLIED', 'REJECTED', 'NOT_SENT'] as const;

/**
 * What became of a failed call:
 * - `NOT_SENT`: no byte of the request was sent.
 * - `REJECTED`: the API refused the call (a 4xx that no common proxy sends of its own after forwarding).
 * - `APPLIED`: the API carried the call out, and its answer is unusable or incomplete; see evidence.ts.
 * - `UNKNOWN`: the request may have been sent, and no answer proves whether the API carried it out.
 */
export type Outcome = (typeof outcomesByHarm)[number];

/** Outcome of a write according to its answer. */
export type Verdict = Exclude<Outcome, 'NOT_SENT'>;

/** Meaning of the answers of an API that deviates from HTTP. */
export interface Verdicts {
  /** Returns the verdict of a write by its status. Default: `APPLIED` for 2xx, `REJECTED` for most 4xx. A read accepts every 2xx. */
  readonly toVerdict?: ((status: number) => Verdict) | undefined;
  /**
   * Returns the verdict of a 2xx by its JSON body. Default: the write is applied. An `Entity` must find no id in a body with
   * another verdict, because a cut answer is judged by its id alone.
   */
  readonly toBodyVerdict?: ((body: unknown) => Verdict) | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;
