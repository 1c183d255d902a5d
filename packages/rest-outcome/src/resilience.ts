import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from './call.js';
import { Circuit, type CircuitOptions } from './circuit.js';
import type { Entry } from './ledger.js';
import { RestError } from './rest-error.js';

export interface ResilienceOptions extends CircuitOptions {
  /** Maximum time of a call, from joining the queue to the last byte of the last attempt. Default: 10 s. */
  readonly deadlineMs: number;
  /** Maximum number of calls under way. Default: 256. */
  readonly maxCalls: number;
  /** Maximum number of calls that wait in the queue. Default: 256. */
  readonly maxQueue: number;
}

/** Minimum share of the deadline to start an attempt with. With less, most writes would time out as `UNKNOWN`. */
const MIN_DEADLINE_SHARE = 0.1;

const MAX_RETRIES = 2;
const DELAY_MS = 125;
/** Time reserved for a retry, in ms: for its delay, a late timer on a busy machine, and a new connection. */
const RETRY_RESERVE_MS = 400;

/** Runs calls through bulkhead, circuit breaker and retries. */
export class Resilience {
  readonly bulkhead: Bulkhead;
  readonly circuit: Circuit;

  /** @param canSend returns whether the client can still send: at a stop, retries would outlast the last answers */
  constructor(
    private readonly options: ResilienceOptions,
    private readonly canSend: () => boolean,
  ) {
    this.bulkhead = new Bulkhead(options.maxCalls, options.maxQueue);
    this.circuit = new Circuit(options);
  }

  /**
   * Runs a call. Retries it only if a retry is safe.
   *
   * @param attempt sends the request once; must settle within `leftMs`
   * @throws RestError when the call is refused, times out, or fails and cannot be retried
   */
  async run(
    entry: Entry,
    attempt: (entry: Entry, leftMs: number) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { bulkhead, circuit } = this;
    const { deadlineMs, maxCalls } = this.options;
    const { deadlineAt } = entry;
    const minLeftMs = deadlineMs * MIN_DEADLINE_SHARE;
    // Checked before the queue too: a call would wait there behind the circuit's probe, only to be refused.
    circuit.check(entry);
    // The queue has no timer: the calls in front have begun earlier, and end by their own deadlines. A call that has waited for
    // its key does not queue, because calls in front may have begun later.
    const isLate = toLeftMs(deadlineAt) < deadlineMs - minLeftMs && bulkhead.running >= maxCalls;
    if (bulkhead.isFull || isLate) throw new RestError('overloaded', entry);
    await bulkhead.enter();
    try {
      if (toLeftMs(deadlineAt) < minLeftMs)
        throw new RestError('timeoutBeforeSending', entry, { deadlineMs });
      const ticket = circuit.begin(entry);
      let failure: unknown;
      for (let retries = 0; ; retries += 1) {
        try {
          const answer = await attempt(entry, toLeftMs(deadlineAt));
          circuit.end(ticket, undefined);
          return answer;
        } catch (error) {
          const expected = error instanceof RestError ? error : undefined;
          // A later `NOT_SENT` would hide that an attempt was sent.
          if (!failure || expected?.outcome !== 'NOT_SENT') failure = error;
          // Not if the API asks for a longer wait than that of a retry.
          const isWanted = expected?.is('repeated') && !expected.retryAfterSeconds;
          const isSafe = retries < MAX_RETRIES && isWanted && this.canSend();
          const hasTime = toLeftMs(deadlineAt) >= minLeftMs + RETRY_RESERVE_MS;
          // Retries only while the circuit is closed, because retries make it harder for a failing API to recover.
          if (!isSafe || circuit.state !== 'closed' || !hasTime) {
            circuit.end(ticket, failure);
            throw failure;
          }
        }
        // By a random time, so that calls that failed together do not retry together.
        await sleep(DELAY_MS * (0.2 + Math.random()));
      }
    } finally {
      bulkhead.leave();
    }
  }
}

function toLeftMs(deadlineAt: number): number {
  return deadlineAt - performance.now();
}

/**
 * A bulkhead: limits the number of calls under way, and the number of calls that wait. Default: any number may wait.
 */
export class Bulkhead {
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(
    private readonly max: number,
    private readonly maxQueued = Infinity,
  ) {}

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** True if the maximum number of calls is under way, and the queue is full. */
  get isFull(): boolean {
    return this.#running >= this.max && this.#queue.length >= this.maxQueued;
  }

  /** Admits a call at once, or when it is the first in the queue and another call ends. */
  enter(): Promise<void> | undefined {
    if (this.#running >= this.max) return new Promise((admit) => void this.#queue.push(admit));
    this.#running += 1;
    return undefined;
  }

  /** Call after each admitted call. Admits the next call of the queue. */
  leave(): void {
    const admit = this.#queue.shift();
    if (admit) admit();
    else this.#running -= 1;
  }
}
