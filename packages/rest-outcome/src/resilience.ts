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
const MIN_DELAY_MS = 25;
const MAX_DELAY_MS = 225;
/** Time reserved for a retry, in ms: for its delay, a late timer on a busy machine, and a new connection. */
const RETRY_RESERVE_MS = 400;

/** Runs calls through bulkhead, circuit breaker and retries. */
export class Resilience {
  readonly bulkhead: Bulkhead;
  readonly circuit: Circuit;

  /** @param canSend returns whether the client can still send */
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
    call: Entry,
    attempt: (call: Entry, leftMs: number) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { bulkhead, circuit } = this;
    const { deadlineMs } = this.options;
    const { deadlineAt } = call;
    const minLeftMs = deadlineMs * MIN_DEADLINE_SHARE;
    // Checked before the queue too: a call would wait there behind the circuit's probe, only to be refused.
    circuit.check(call);
    if (bulkhead.isFull) throw new RestError('overloaded', call);
    const place = bulkhead.enter(toLeftMs(deadlineAt));
    if (place && !(await place)) throw new RestError('timeoutBeforeSending', call, { deadlineMs });
    try {
      if (toLeftMs(deadlineAt) < minLeftMs)
        throw new RestError('timeoutBeforeSending', call, { deadlineMs });
      const ticket = circuit.begin(call);
      let failure: unknown;
      for (let retries = 0; ; retries += 1) {
        try {
          const answer = await attempt(call, toLeftMs(deadlineAt));
          circuit.end(ticket, undefined);
          return answer;
        } catch (error) {
          const isExpected = error instanceof RestError;
          // A later `NOT_SENT` would hide that an attempt was sent.
          if (!failure || !isExpected || error.outcome !== 'NOT_SENT') failure = error;
          // Not if the API asks for a longer wait than that of a retry.
          const isWanted = isExpected && error.is('repeated') && !error.retryAfterSeconds;
          const isSafe = retries < MAX_RETRIES && isWanted && this.canSend();
          const hasTime = toLeftMs(deadlineAt) >= minLeftMs + RETRY_RESERVE_MS;
          // Retries only while the circuit is closed, because retries make it harder for a failing API to recover.
          if (!isSafe || circuit.state !== 'closed' || !hasTime) {
            circuit.end(ticket, failure);
            throw failure;
          }
        }
        await sleep(toDelayMs(retries));
      }
    } finally {
      bulkhead.leave();
    }
  }
}

/** At least 0: a timer of a negative time makes Node print a warning. */
function toLeftMs(deadlineAt: number): number {
  return Math.max(deadlineAt - performance.now(), 0);
}

/** Returns a delay by exponential backoff with jitter, so that calls that failed together do not retry together. */
function toDelayMs(retries: number): number {
  const longest = Math.min(MIN_DELAY_MS * 3 ** (retries + 1), MAX_DELAY_MS);
  return MIN_DELAY_MS + Math.random() * (longest - MIN_DELAY_MS);
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

  /**
   * Admits a call at once and returns `undefined`, or queues the call and resolves to whether it was admitted within
   * `waitMs`. Call `leave` after each admitted call.
   *
   * @param waitMs maximum time in the queue; default: no limit
   */
  enter(waitMs?: number): Promise<boolean> | undefined {
    if (this.#running < this.max) {
      this.#running += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(admit), 1);
        resolve(false);
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      this.#queue.push(admit);
    });
  }

  /** Call after an admitted call. Admits the next call of the queue. */
  leave(): void {
    const admit = this.#queue.shift();
    if (admit) admit();
    else this.#running -= 1;
  }
}
