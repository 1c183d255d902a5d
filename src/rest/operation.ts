import { AnswerRoom } from './answer-budget.js';
import { RestError } from './errors.js';
import {
  outcomesByHarm,
  type Entity,
  type Entry,
  type Idempotency,
  type JsonObject,
  type Outcome,
  type RestAttempt,
  type RestCall,
} from './rest-call.js';

/** A call that changes nothing: `GET`. */
export interface ReadCall extends Pick<RestCall, 'path' | 'template' | 'arrayAs'> {
  /** Thing that the answer must show. Default: any JSON object is an answer, such as a list. */
  readonly entity?: Required<Entity>;
}

/** A call that may change something. */
export type WriteCall = CreateCall | ChangeCall;

interface CreateCall extends Pick<RestCall, 'path' | 'template'> {
  readonly method: 'POST';
  /** JSON text of the request body, sent unchanged. */
  readonly body?: string;
  /** Thing that the answer must show before the write counts as `APPLIED`. */
  readonly entity: Entity;
  readonly idempotency?: Idempotency | undefined;
}

/** A write to a known thing, whose id an answer must show. */
interface ChangeCall extends Omit<CreateCall, 'method' | 'entity'> {
  /** Any method but `GET`. */
  readonly method: string;
  readonly entity: Required<Entity>;
}

/**
 * The calls that one root field may make. A resolver that kept the `Field` of another operation would find its writes in
 * that operation's ledger, not in its own: take the `Field` of the own context.
 */
export interface Field {
  /** @throws RestError when the call fails; an error of `HeaderSource` when the caller is refused */
  read(call: ReadCall): Promise<JsonObject>;
  /**
   * Sends a write. Only the running root field of a mutation may, and at most once: a second write is refused, unless
   * the first is proved `NOT_SENT`.
   *
   * @throws RestError whose `outcome` says what became of the write; an error of `HeaderSource` when the caller is refused
   */
  write(call: WriteCall): Promise<JsonObject>;
  /** Returns the headers of the operation's latest call. What they hold of secrets must not leave the process. */
  readonly sentHeaders: () => RequestHeaders;
}

interface Root {
  /** Response name of the root field. */
  readonly name: string;
  readonly mayWrite: boolean;
}

/** What became of the write of one root field. */
export interface Truth {
  readonly outcome: Outcome;
  /** Id that the API's answer shows; `undefined` if it shows none. */
  readonly id?: string | undefined;
  /** False if any write of the operation may have been carried out: a repeat of the operation would write again. */
  readonly isRepeatable: boolean;
}

/** A line of the ledger. Not exported, so that no other module can create a call that the REST client would send. */
class LedgerEntry implements Entry {
  outcome: Outcome = 'UNKNOWN';
  id: string | undefined;
  readonly attempts: RestAttempt[] = [];
  /** True if an attempt was started: then only attempts settle the line. */
  isStarted = false;

  constructor(
    readonly name: string,
    readonly isWrite: boolean,
  ) {}

  get isMaybeSentWrite(): boolean {
    return this.isWrite && this.outcome !== 'NOT_SENT';
  }

  get mayHaveWritten(): boolean {
    return this.isWrite && (this.outcome === 'APPLIED' || this.outcome === 'UNKNOWN');
  }

  start(): void {
    if (this.isStarted && this.isMaybeSentWrite)
      throw new Error('the write may have been sent, and must not be sent again');
    this.isStarted = true;
    this.outcome = 'UNKNOWN';
  }

  /** Records a 2xx that shows what the call asks for. */
  succeed({ entity }: Pick<RestCall, 'entity'>, answer: JsonObject): void {
    this.outcome = 'APPLIED';
    this.id = entity?.readId(answer) ?? undefined;
  }

  /** Records a failure. An error that is no `RestError` proves nothing. */
  fail(error: unknown): void {
    if (!(error instanceof RestError)) return;
    this.outcome = error.outcome;
    this.id = error.shownId;
  }
}

/**
 * Records that an attempt to send a call starts. Settle the returned line with what the attempt proves.
 *
 * @throws Error when no operation has begun the call, or when the call is a write that may have been sent already
 */
export function startAttempt({ entry }: RestCall): LedgerEntry {
  if (!(entry instanceof LedgerEntry)) throw new Error('only an operation can send a call');
  entry.start();
  return entry;
}

/** What a client knows of an operation: what its headers and its wraps need. */
export interface OperationAbout {
  /** Set by the operation: a second one would have a ledger of its own, which the errors do not read. */
  hasOperation?: boolean;
}

type RequestHeaders = RestCall['headers'];

/** Source of the credentials and other headers of each call. */
export interface HeaderSource<About> {
  /**
   * Returns a new object. Runs before all wraps: when it fails, the call is `NOT_SENT`.
   *
   * @param call has a `method` if it is a write
   */
  toHeaders(call: ReadCall | WriteCall, about: About): RequestHeaders | Promise<RequestHeaders>;
}

/**
 * Sends a call that an operation has begun.
 *
 * @returns the JSON object of the 2xx answer, or its JSON array under the name `arrayAs`
 * @throws RestError whose `outcome` says what became of the call
 */
export type Send<About extends OperationAbout> = (
  call: RestCall,
  operation: Operation<About>,
) => Promise<JsonObject>;

/** What an operation needs of its client. */
interface Sender<About extends OperationAbout> extends HeaderSource<About> {
  /** Sends a call: the outermost wrap. */
  send(call: RestCall, operation: Operation<About>): Promise<JsonObject>;
}

/** Returns a `Send` that does something before or after `next`. `About` says what it must know of the operation. */
export type Wrap<Needed extends object = object> = <About extends OperationAbout & Needed>(
  next: Send<About>,
) => Send<About>;

/** Counts the REST calls of one operation, and measures their time. */
class RestTally {
  /** Number of calls, including those that were refused before they were sent. */
  calls = 0;
  /** Number of calls that the API answered with a 2xx. */
  accepted = 0;
  /** Time in ms with at least one call under way; the times of parallel calls are not added up. */
  ms = 0;
  #running = 0;
  #busySince = 0;

  /** Records the start of a call. Each `begin` needs one `end`. */
  begin(): void {
    this.calls += 1;
    if (this.#running === 0) this.#busySince = performance.now();
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.ms += performance.now() - this.#busySince;
  }
}

/**
 * One operation of a client, and the ledger of all REST calls that it makes. Only an operation can send a call, so no
 * call is missing from the ledger.
 */
export class Operation<About extends OperationAbout = OperationAbout> {
  readonly tally = new RestTally();
  /** Memory reserved for the long answers of the operation and its response. Call `end` when the response is written. */
  readonly room = new AnswerRoom();
  readonly #entries: LedgerEntry[] = [];
  /** Kept as it is: in a closure made for each operation, `send` cost V8 twice the time to collect garbage. */
  readonly #sender: Sender<About>;
  /** Headers of the latest call; `undefined` before the first. */
  #headers: RequestHeaders | undefined;
  /** The root field that began last. In a mutation, the earlier ones have ended: its root fields run in order. */
  #current: Root | undefined;
  #isOver = false;

  constructor(
    sender: Sender<About>,
    readonly about: About,
  ) {
    if (about.hasOperation)
      throw new Error('a request has one operation, whose ledger errors read');
    about.hasOperation = true;
    this.#sender = sender;
  }

  /**
   * Begins a root field, and returns the only way in which the root field can call the API.
   *
   * @param name response name of the root field
   * @param mayWrite true for a root field of a mutation
   */
  begin(name: string, mayWrite: boolean): Field {
    const root = { name, mayWrite };
    this.#current = root;
    this.room.fields += 1;
    const send = (call: ReadCall | WriteCall): Promise<JsonObject> => this.#send(root, call);
    return { read: send, write: send, sentHeaders: this.#sentHeaders };
  }

  readonly #sentHeaders = (): RequestHeaders => this.#headers ?? {};

  /** Refuses all later writes. Call before the outcome of a write is told. */
  end(): void {
    this.#isOver = true;
  }

  #assertMayWrite(root: Root, { method }: WriteCall): void {
    if (method === 'GET') throw new Error('a write needs another method than GET');
    if (!root.mayWrite) throw new Error('only a root field of a mutation may write');
    if (this.#isOver || root !== this.#current)
      throw new Error('the root field has ended, and must not write any more');
    if (this.#entries.some(({ name, isMaybeSentWrite }) => name === root.name && isMaybeSentWrite))
      throw new Error('the root field has sent a write, and must not send another one');
  }

  async #send(root: Root, call: ReadCall | WriteCall): Promise<JsonObject> {
    const { tally, room } = this;
    const { name } = root;
    const isWrite = 'method' in call;
    if (isWrite) this.#assertMayWrite(root, call);
    const entry = new LedgerEntry(name, isWrite);
    // Before anything is awaited: a resolver that does not wait for its write may fail meanwhile.
    this.#entries.push(entry);
    let headers: RequestHeaders;
    try {
      const given = this.#sender.toHeaders(call, this.about);
      // Awaits promises only: awaiting an object would cost a microtask, and most headers are known at once.
      headers = given instanceof Promise ? await given : given;
    } catch (error) {
      entry.outcome = 'NOT_SENT';
      throw error;
    }
    this.#headers = headers;
    tally.begin();
    try {
      const method = isWrite ? call.method : 'GET';
      // Begins with its only spread: any other form takes V8 three times as many instructions.
      const begun: RestCall = { ...call, method, headers, room, entry };
      const answer = await this.#sender.send(begun, this);
      if (!entry.isStarted) entry.succeed(call, answer);
      tally.accepted += 1;
      return answer;
    } catch (error) {
      // Not sent by this call: the answer is that of an earlier call with the idempotency key, or a refusal.
      if (!entry.isStarted) entry.fail(error);
      throw error;
    } finally {
      tally.end();
    }
  }

  /**
   * Returns what became of the write of a root field: `NOT_SENT` only if no write in the ledger belongs to the field.
   *
   * @param name response name of the root field; `undefined` for the operation as a whole, by its most harmful write
   */
  toTruth(name: string | undefined): Truth {
    let worst: LedgerEntry | undefined;
    for (const entry of this.#entries)
      if (entry.isWrite && (name === undefined || entry.name === name))
        worst = worst && toHarm(worst) <= toHarm(entry) ? worst : entry;
    const isRepeatable = !this.#entries.some(({ mayHaveWritten }) => mayHaveWritten);
    return { outcome: worst?.outcome ?? 'NOT_SENT', id: worst?.id, isRepeatable };
  }
}

function toHarm({ outcome }: Entry): number {
  return outcomesByHarm.indexOf(outcome);
}
