/** A call that changes nothing: a `GET`. */
export interface Read {
  /** Path relative to the base URL, with the query; begins with `/` and is percent-encoded. */
  readonly path: string;
  /** Path with placeholders for ids, for logs, metrics and traces: `/orders/{id}`. */
  readonly template: string;
  /** Noun of what the call reads or writes, for messages: `order`, `page of orders`. Default: `thing`. */
  readonly noun?: string | undefined;
  /** Thing that a 2xx must show. Default: any JSON object is an answer, such as a list. */
  readonly entity?: Entity | undefined;
  /** Property name under which a JSON array is returned. Default: an array is an unreadable answer. */
  readonly arrayAs?: string | undefined;
}

/** A call that may change something. Without an `entity` it counts as `APPLIED` after a 204, and after any 2xx with a JSON object. */
export interface Write extends Omit<Read, 'arrayAs'> {
  /** Any method but `GET`, in capitals. */
  readonly method: string;
  /** JSON text of the request body, sent unchanged. */
  readonly body?: string | undefined;
  /**
   * Idempotency key of a write that must not be sent twice: 1 to 255 characters of visible ASCII, sent as
   * `keyHeader`. `idempotent` keeps the promise, whatever the API does with the key.
   */
  readonly key?: string | undefined;
}

/** The thing that a call reads or writes, as far as an answer can show it. */
export interface Entity {
  /**
   * Returns the id in an answer, or in the members of an answer that stand before its cut. Returns `undefined` if the id
   * is missing, and `null` if what stands in its place is no id.
   */
  readId(answer: JsonObject): string | null | undefined;
  /** Returns whether an id is that of the thing that was asked for. Default, for a `POST` only: every id, as after a create. */
  readonly isAskedFor?: (id: string) => boolean;
  /** Id of the thing that was asked for. `Ledger.writes` has it where no answer shows an id. */
  readonly askedId?: string;
}

/** One attempt of a call. `status` is `undefined` if the request got no answer or was not sent. */
export interface Attempt {
  readonly origin: string;
  /** Path in the request line, including the path of the base URL. */
  readonly path: string;
  status?: number | undefined;
}

/** One validation error that the API reports for one value of the request. */
export interface ValidationDetail {
  /** Part of the request, and path to the value: `["body", "progress", "total"]`, `["path", "id"]`, `["query", "page"]`. */
  readonly location: readonly (string | number)[];
  readonly message: string;
}

/** Why an API rejected a call, as far as the body of its answer says so in a known form. */
export interface RejectionReason {
  /** Errors of single values. */
  readonly details: readonly ValidationDetail[];
  /** Reason of the API that is about no single value: plain text without secrets. */
  readonly upstreamMessage?: string | undefined;
}

/**
 * The calls that one step of an operation may make. Use no `Step` of another operation: each write stands in the ledger of
 * the operation that began its step.
 */
export interface Step {
  /** @throws RestError when the call fails; an error of the client's `headers` when the caller is refused */
  read(call: Read): Promise<JsonObject>;
  /**
   * Sends a write. Only the running step may, if it was begun with `mayWrite`, and at most once: a second write is refused,
   * unless the first is proved `NOT_SENT`.
   *
   * @throws RestError whose `outcome` says what became of the write; an error of `headers` when the caller is refused
   */
  write(call: Write): Promise<JsonObject>;
  /** Returns what became of the write of the step. */
  outcome(): WriteOutcome;
}

/** What became of the write of one step. */
export interface WriteOutcome {
  readonly outcome: Outcome;
  /** Id that the API's answer shows, and the noun of its thing. */
  readonly id?: string | undefined;
  readonly noun?: string | undefined;
  /** False if any write of the operation may have been carried out: a repeat of the operation would write again. */
  readonly isRepeatable: boolean;
}

/** Counts the bytes of the answers that an operation reads, or has read. */
export interface AnswerBytes {
  /** Called with the length of each chunk. Returns false if there is no room in memory: then the call fails. */
  take(bytes: number): boolean;
  /** Called when a call has failed, with what its answer has taken. The bytes of the other answers stay taken. */
  release(bytes: number): void;
}

/** Outcomes, beginning with the one that does the most harm if a client overlooks it. */
export const outcomesByHarm = ['UNKNOWN', 'APPLIED', 'REJECTED', 'NOT_SENT'] as const;

/**
 * What became of a failed call:
 * - `NOT_SENT`: no byte of the request was sent.
 * - `REJECTED`: the API refused the call (a 4xx that no common proxy sends of its own after forwarding).
 * - `APPLIED`: the API carried the call out, and its answer is unusable or incomplete; see answer.ts.
 * - `UNKNOWN`: the request may have been sent, and no answer proves whether the API carried it out.
 */
export type Outcome = (typeof outcomesByHarm)[number];

/** Outcome of a write according to its answer. */
export type Verdict = Exclude<Outcome, 'NOT_SENT'>;

/** Meaning of the answers of an API that deviates from HTTP. */
export interface Verdicts {
  /** Returns the verdict of a write by its status. Default, also for `undefined`: `APPLIED` for 2xx, `REJECTED` for most 4xx. A read accepts every 2xx. */
  readonly toVerdict?: ((status: number) => Verdict | undefined) | undefined;
  /**
   * Returns the verdict of a 2xx by its JSON body. Default: the write is applied. An `Entity` must return `null` for a body with
   * another verdict, because a cut answer is judged by its id alone.
   */
  readonly toBodyVerdict?: ((body: unknown) => Verdict) | undefined;
}

/** Proof in a 2xx about a call whose result cannot be returned, and the id that the answer shows. */
export interface Evidence {
  readonly outcome: 'APPLIED' | 'UNKNOWN';
  readonly id?: string | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;
