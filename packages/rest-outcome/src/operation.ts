import {
  outcomesByHarm,
  type AnswerBytes,
  type Entry,
  type JsonObject,
  type KeyResult,
  type Outcome,
  type PlainWrite,
  type ReadCall,
  type RestAttempt,
  type RestCall,
  type WriteCall,
} from './call.js';
import { RestError } from './rest-error.js';

/**
 * The calls that one step of an operation may make. Use no `Step` of another operation: each write stands in the ledger of
 * the operation that began its step.
 */
export interface Step {
  /** @throws RestError when the call fails; an error of the client's `headers` when the caller is refused */
  read(call: ReadCall): Promise<JsonObject>;
  /**
   * Sends a write. Only the running step may, if it was begun with `mayWrite`, and at most once: a second write is refused,
   * unless the first is proved `NOT_SENT`.
   *
   * @throws RestError whose `outcome` says what became of the write; an error of `headers` when the caller is refused
   */
  write(call: WriteCall): Promise<JsonObject>;
  /** Returns the headers of the operation's latest call. What they hold of secrets must not leave the process. */
  readonly sentHeaders: () => RequestHeaders;
}

/**
 * The line of a call in the ledger of its operation. Not exported by the package, so nobody else can create a call that the
 * client would send.
 */
export class LedgerEntry implements Entry {
  outcome: Outcome = 'UNKNOWN';
  id: string | undefined;
  /** Hash of the idempotency key. */
  keyId: string | undefined;
  keyResult: KeyResult | undefined;
  readonly attempts: RestAttempt[] = [];
  /** True if an attempt was started: then what attempts prove settles the line. */
  isStarted = false;

  constructor(
    readonly name: string,
    readonly noun: string,
    readonly isWrite: boolean,
    readonly askedId: string | undefined,
  ) {}

  get isMaybeSentWrite(): boolean {
    return this.isWrite && this.outcome !== 'NOT_SENT';
  }

  /**
   * Records that an attempt to send the call of `entry` starts. Settle the returned line with what the attempt proves.
   *
   * @throws Error when no operation has begun the call, or when the call is a write that may have been sent already
   */
  static start({ entry }: RestCall): LedgerEntry {
    if (!(entry instanceof LedgerEntry)) throw new Error('only an operation can send a call');
    if (entry.isStarted && entry.isMaybeSentWrite)
      throw new Error('the write may have been sent, and must not be sent again');
    entry.isStarted = true;
    entry.outcome = 'UNKNOWN';
    return entry;
  }

  succeed({ entity }: Pick<RestCall, 'entity'>, answer: JsonObject): void {
    this.settle('APPLIED', entity?.readId(answer) ?? undefined);
  }

  /** An error that is no `RestError` is a defect, and proves nothing. */
  fail(error: unknown): void {
    if (error instanceof RestError) this.settle(error.outcome, error.shownId);
  }

  settle(outcome: Outcome, id: string | undefined): void {
    this.outcome = outcome;
    this.id = id;
  }
}

type Begun = Readonly<{ name: string; mayWrite: boolean }>;

/** What became of the write of one step. */
export interface Truth {
  readonly outcome: Outcome;
  /** Id that the API's answer shows; `undefined` if it shows none. */
  readonly id?: string | undefined;
  /** Noun of the thing with this id, as the call names it. */
  readonly noun?: string | undefined;
  /** False if any write of the operation may have been carried out: a repeat of the operation would write again. */
  readonly isRepeatable: boolean;
}

/** Data of an operation that its headers, keys and listeners need. One object for each operation. */
export type OperationAbout = object & {
  /** Set by `Operation`, which refuses an `about` that has one: nobody would read the ledger of a second operation. */
  hasOperation?: boolean;
  /** Counts the bytes of the operation's answers. Default: nothing counts them. */
  readonly answerBytes?: AnswerBytes | undefined;
};

type RequestHeaders = RestCall['headers'];

/**
 * Returns the credentials and other headers of a call: a new object. Runs first: when it fails, the call is
 * `NOT_SENT`.
 *
 * @param call has a `method` if it is a write
 */
export type ToHeaders<About> = (
  call: ReadCall | WriteCall | PlainWrite,
  about: About,
) => RequestHeaders | Promise<RequestHeaders>;

/**
 * Called when a call begins, with headers to which it may add. Returns a function that is called when the call has ended, with
 * its error; the `entry` of the call then has its attempts. Must not throw.
 */
export type OnCall<About> = (call: RestCall, about: About) => OnCallEnd | undefined;

type OnCallEnd = (error: unknown) => void;

/** The part of a client that an operation needs. */
interface Sender<About extends OperationAbout> {
  /** Tells the listeners of a client that a call begins, and returns those of its end. */
  beginCall(call: RestCall, about: About): readonly ReturnType<OnCall<About>>[];
  toHeaders(...of: Parameters<ToHeaders<About>>): ReturnType<ToHeaders<About>>;
  /**
   * Sends a call.
   *
   * @param read sends a read in the name of the operation
   * @returns the JSON object of the 2xx answer, or its JSON array under the name `arrayAs`
   * @throws RestError whose `outcome` says what became of the call
   */
  send(call: RestCall, entry: LedgerEntry, about: About, read: ReadMore): Promise<JsonObject>;
}

/** Sends a read that belongs to a write. */
type ReadMore = (
  call: ReadCall,
  options: Pick<RestCall, 'deadlineAt' | 'hidesPath'>,
) => Promise<JsonObject>;

/**
 * One operation of a client, and the ledger of all REST calls that it makes. Only an operation can send a call, so no
 * call is missing from the ledger.
 */
export class Operation<About extends OperationAbout = OperationAbout> {
  /**
   * Number of calls, even of those that were refused before they were sent; number of calls that the API answered with a
   * 2xx; time in ms with at least one call under way.
   */
  readonly tally = { calls: 0, accepted: 0, ms: 0 };
  #running = 0;
  #busySince = 0;
  readonly #entries: LedgerEntry[] = [];
  /** A field, because a closure `send` for each operation doubled the time of garbage collection. */
  readonly #sender: Sender<About>;
  /** Headers of the latest call; `undefined` before the first. */
  #headers: RequestHeaders | undefined;
  /** The step that began last. Only it may write: the earlier ones have ended. */
  #current: Begun | undefined;
  #isOver = false;

  constructor(
    sender: Sender<About>,
    readonly about: About,
  ) {
    if (about.hasOperation)
      throw new Error('an `about` has one operation, in whose ledger its writes are');
    about.hasOperation = true;
    this.#sender = sender;
  }

  /**
   * Begins a step, and returns the only way in which the step can call the API. Steps that write run one after the other.
   *
   * @param name name of the step in the ledger
   * @param mayWrite false for a step that only reads
   */
  begin(name: string, mayWrite: boolean): Step {
    const step = this.#start(name, mayWrite);
    const send = (call: ReadCall | WriteCall): Promise<JsonObject> => this.#send(step, call);
    return { read: send, write: send, sentHeaders: this.#sentHeaders };
  }

  /** Makes one read, in a step of its own. Throws as `Step.read` does. */
  read(name: string, call: ReadCall): Promise<JsonObject> {
    return this.#send(this.#start(name, false), call);
  }

  /** Makes one write, in a step of its own. Throws as `Step.write` does. */
  write(name: string, call: WriteCall | PlainWrite): Promise<JsonObject> {
    return this.#send(this.#start(name, true), call);
  }

  #start(name: string, mayWrite: boolean): Begun {
    return (this.#current = { name, mayWrite });
  }

  readonly #sentHeaders = (): RequestHeaders => this.#headers ?? {};

  /** Refuses all later writes, so that what has been told of the operation stays true. */
  end(): void {
    this.#isOver = true;
  }

  #assertMayWrite(step: Begun, { method }: Pick<PlainWrite, 'method'>): void {
    if (method === 'GET') throw new Error('a write needs another method than GET');
    if (!step.mayWrite) throw new Error('the step only reads, and must not write');
    if (this.#isOver || step !== this.#current)
      throw new Error('the step has ended, and must not write any more');
    if (this.#entries.some(({ name, isMaybeSentWrite }) => name === step.name && isMaybeSentWrite))
      throw new Error('the step has sent a write, and must not send another one');
  }

  async #send(
    step: Begun,
    call: ReadCall | WriteCall | PlainWrite,
    options?: Pick<RestCall, 'deadlineAt' | 'hidesPath'>,
  ): Promise<JsonObject> {
    const { tally, about } = this;
    const { answerBytes } = about;
    const { name } = step;
    const { noun = 'thing' } = call;
    const isWrite = 'method' in call;
    if (isWrite) this.#assertMayWrite(step, call);
    const entry = new LedgerEntry(name, noun, isWrite, call.entity?.askedId);
    // Before anything is awaited: code that does not wait for its write may fail meanwhile.
    this.#entries.push(entry);
    let headers: RequestHeaders;
    try {
      const given = this.#sender.toHeaders(call, about);
      // Awaits promises only: awaiting an object would cost a microtask, and most headers are known at once.
      headers = given instanceof Promise ? await given : given;
    } catch (error) {
      entry.outcome = 'NOT_SENT';
      throw error;
    }
    this.#headers = headers;
    tally.calls += 1;
    if (this.#running++ === 0) this.#busySince = performance.now();
    const method = isWrite ? call.method : 'GET';
    // Begins with its only spread: any other form takes V8 three times as many instructions.
    const begun: RestCall = {
      ...call,
      noun,
      method,
      headers,
      answerBytes,
      entry,
      deadlineAt: options?.deadlineAt,
      hidesPath: options?.hidesPath,
    };
    const ends = this.#sender.beginCall(begun, about);
    let failure: unknown;
    try {
      const read: ReadMore = (more, about) => this.#send(step, more, about);
      const answer = await this.#sender.send(begun, entry, about, read);
      tally.accepted += 1;
      return answer;
    } catch (error) {
      failure = error;
      // Not sent by this call: a refusal, or what is known of an earlier call with the idempotency key.
      if (!entry.isStarted) entry.fail(error);
      throw error;
    } finally {
      if (--this.#running === 0) tally.ms += performance.now() - this.#busySince;
      for (const end of ends) end?.(failure);
    }
  }

  /**
   * Returns what became of the writes of a step. `NOT_SENT`: the step has made no write that may have been sent.
   *
   * @param name name of the step; `undefined` for the operation as a whole, by its most harmful write
   */
  toTruth(name: string | undefined): Truth {
    const writes = this.#entries.filter(({ isWrite }) => isWrite);
    const own = writes.filter((entry) => name === undefined || entry.name === name);
    const worst = outcomesByHarm
      .map((harm) => own.find(({ outcome }) => outcome === harm))
      .find((entry) => entry !== undefined);
    const isRepeatable = writes.every(
      ({ outcome }) => outcome === 'NOT_SENT' || outcome === 'REJECTED',
    );
    const { outcome = 'NOT_SENT', id, noun } = worst ?? {};
    return { outcome, id, noun, isRepeatable };
  }

  /** What became of each write, in order: for logs. */
  get writes() {
    return this.#entries
      .filter(({ isWrite }) => isWrite)
      .map(({ name: field, outcome, id, askedId, keyId: key }) => ({
        field,
        outcome,
        id: id ?? askedId,
        key,
      }));
  }

  /** Returns what became of the write of a step. Default: the most harmful outcome of all writes. */
  outcomeOf(name?: string): Outcome {
    return this.toTruth(name).outcome;
  }
}
