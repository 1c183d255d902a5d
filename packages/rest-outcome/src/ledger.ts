import {
  outcomesByHarm,
  type AnswerBytes,
  type Attempt,
  type JsonObject,
  type Outcome,
  type Read,
  type Step,
  type Write,
  type WriteOutcome,
} from './call.js';
import { RestError } from './rest-error.js';

/** An entry of the ledger: one call on its way through the levels, and what became of it. */
export class Entry {
  /** `UNKNOWN` until an attempt, or an earlier call with the idempotency key, proves something else. */
  outcome: Outcome = 'UNKNOWN';
  /** Id that the answer shows. */
  id: string | undefined;
  /** Key that is sent to the API. */
  key: string | undefined;
  /** Hash of the idempotency key. */
  keyId: string | undefined;
  /** False if the store of keys, or an earlier call with the idempotency key, has kept the call from being made. */
  isMade = true;
  /** Latest time of the last byte of the answer, by `performance.now()`. The client limits it to its `deadlineMs`. */
  deadlineAt = Infinity;
  /** True if only a successful call may show its path to the caller: the path names another caller's thing. */
  hidesPath = false;
  /** Request headers, including the credentials. Listeners and the client add theirs. */
  headers: Record<string, string> = {};
  readonly attempts: Attempt[] = [];
  readonly method: string;
  readonly path: string;
  readonly template: string;
  readonly noun: string;
  readonly entity: Read['entity'];
  readonly arrayAs: Read['arrayAs'];
  readonly body: Write['body'];

  constructor(
    /** Name of the step that makes the call. */
    readonly step: string,
    { method = 'GET', path, template, noun = 'thing', ...call }: Read & Partial<Write>,
    readonly answerBytes: AnswerBytes | undefined,
  ) {
    this.method = method;
    this.path = path;
    this.template = template;
    this.noun = noun;
    this.entity = call.entity;
    this.arrayAs = call.arrayAs;
    this.body = call.body;
    this.key = call.key;
  }

  get isWrite(): boolean {
    return this.method !== 'GET';
  }

  get isMaybeSentWrite(): boolean {
    return this.isWrite && this.outcome !== 'NOT_SENT';
  }

  /**
   * Records that an attempt to send the call starts. What the attempt proves settles the entry.
   *
   * @throws Error when the call is a write that may have been sent already
   */
  start(origin: string, path: string): Attempt {
    if (this.attempts.length > 0 && this.isMaybeSentWrite)
      throw new Error('the write may have been sent, and must not be sent again');
    const attempt: Attempt = { origin, path, status: undefined };
    this.attempts.push(attempt);
    this.outcome = 'UNKNOWN';
    return attempt;
  }

  succeed(answer: JsonObject): void {
    this.settle('APPLIED', this.entity?.readId(answer) ?? undefined);
  }

  /** An error that is no `RestError` is a defect, and proves nothing. */
  fail(error: unknown): void {
    if (error instanceof RestError) this.settle(error.outcome, error.shownId);
  }

  /** Records why no attempt was made: a refusal, or what is known of an earlier call with the idempotency key. */
  endUnattempted(error: unknown): void {
    if (this.attempts.length === 0) this.fail(error);
  }

  settle(outcome: Outcome, id: string | undefined): void {
    this.outcome = outcome;
    this.id = id;
  }
}

type RunningStep = Readonly<{ name: string; mayWrite: boolean }>;

/** Sends a read that belongs to a write, in the name of the operation. */
export type ReadMore = (
  call: Read,
  options: Pick<Entry, 'deadlineAt' | 'hidesPath'>,
) => Promise<JsonObject>;

/** The calls of one operation. Only a ledger can send a call, so no call is missing from it. */
export class Ledger {
  /** Time in ms with at least one call under way. */
  busyMs = 0;
  #running = 0;
  #busySince = 0;
  readonly #entries: Entry[] = [];
  /** The step that began last. Only it may write: the earlier ones have ended. */
  #current: RunningStep | undefined;
  #isOver = false;

  /** @param sendCall the levels below the ledger */
  constructor(
    private readonly sendCall: (entry: Entry, read: ReadMore) => Promise<JsonObject>,
    private readonly answerBytes?: AnswerBytes,
  ) {}

  /** Number of calls, even of those that were refused before they were sent. */
  get calls(): number {
    return this.#entries.length;
  }

  /**
   * Begins a step, and returns the only way in which the step can call the API. Steps that write run one after the other.
   *
   * @param name name of the step
   * @param mayWrite false for a step that only reads. A call with a `method` is a write, by `Step.read` too
   */
  beginStep(name: string, mayWrite: boolean): Step {
    const step = (this.#current = { name, mayWrite });
    const send = (call: Read | Write): Promise<JsonObject> => this.#send(step, call);
    return { read: send, write: send, outcome: () => this.outcomeOf(name) };
  }

  /** Refuses all later writes, so that the reported outcomes stay true. */
  end(): void {
    this.#isOver = true;
  }

  #assertMayWrite(step: RunningStep, { method, entity }: Write): void {
    if (!step.mayWrite) throw new Error('the step only reads, and must not write');
    if (method !== 'POST' && entity && !entity.isAskedFor)
      throw new Error('an answer with another id would count as APPLIED: isAskedFor is missing');
    if (this.#isOver || step !== this.#current)
      throw new Error('the step has ended, and must not write any more');
    if (this.#entries.some((entry) => entry.step === step.name && entry.isMaybeSentWrite))
      throw new Error('the step has sent a write, and must not send another one');
  }

  async #send(
    step: RunningStep,
    call: Read | Write,
    options?: Parameters<ReadMore>[1],
  ): Promise<JsonObject> {
    if ('method' in call) this.#assertMayWrite(step, call);
    const entry = new Entry(step.name, call, this.answerBytes);
    Object.assign(entry, options);
    // Before anything is awaited: code that does not wait for its write may fail meanwhile.
    this.#entries.push(entry);
    if (this.#running++ === 0) this.#busySince = performance.now();
    try {
      const read: ReadMore = (more, options) => this.#send(step, more, options);
      return await this.sendCall(entry, read);
    } finally {
      if (--this.#running === 0) this.busyMs += performance.now() - this.#busySince;
    }
  }

  /**
   * Returns what became of the write of a step. `NOT_SENT`: the step has made no write that may have been sent.
   *
   * @param step name of the step; `undefined` for the operation as a whole, by its most harmful write
   */
  outcomeOf(step?: string): WriteOutcome {
    const writes = this.#entries.filter(({ isWrite }) => isWrite);
    const own = writes.filter((entry) => step === undefined || entry.step === step);
    const [worst] = outcomesByHarm.flatMap((word) => own.filter((entry) => entry.outcome === word));
    const { outcome = 'NOT_SENT', id, noun } = worst ?? {};
    const isRepeatable = writes.every((entry) => ['NOT_SENT', 'REJECTED'].includes(entry.outcome));
    return { outcome, id, noun, isRepeatable };
  }

  /** What became of each write, in order: for logs. */
  get writes() {
    return this.#entries
      .filter(({ isWrite }) => isWrite)
      .map(({ step: field, outcome, id, entity, keyId: key }) => ({
        field,
        outcome,
        id: id ?? entity?.askedId,
        key,
      }));
  }
}
