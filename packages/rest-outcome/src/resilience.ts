import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonCall, JsonObject, RestCall } from './call.js';
import { RestError } from './rest-error.js';

export interface ResilienceOptions {
  /** Maximum time of a call, from joining the queue to the last byte of the last attempt. Default: 10 s. */
  readonly deadlineMs: number;
  /** Maximum number of calls under way. Default: 256. */
  readonly maxCalls: number;
  /** Maximum number of calls that wait in the queue. Default: 256. */
  readonly maxQueue: number;
  /** Time that the circuit stays open before it lets a probe through, in ms. Default: 5 s. */
  readonly circuitOpenMs?: number | undefined;
  readonly onCircuitChange?: ((state: CircuitBreakerState) => void) | undefined;
}

/** `open` after too many failed calls; `half-open` while a single call, the probe, tests whether the API is back. */
export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

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

  /** @param isOpen returns whether the client can still send */
  constructor(
    private readonly options: ResilienceOptions,
    private readonly isOpen: () => boolean,
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
    call: RestCall,
    attempt: (call: RestCall, leftMs: number) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { bulkhead, circuit } = this;
    const { deadlineMs } = this.options;
    const { deadlineAt = performance.now() + deadlineMs } = call;
    const minLeftMs = deadlineMs * MIN_DEADLINE_SHARE;
    // Checked before the queue too: a call would wait there behind the circuit's trial call, only to be refused.
    circuit.check(call);
    if (bulkhead.isFull) throw new RestError('overloaded', call);
    const place = bulkhead.enter(toLeftMs(deadlineAt));
    if (place && !(await place)) throw new RestError('timeoutBeforeSending', call, { deadlineMs });
    try {
      if (toLeftMs(deadlineAt) < minLeftMs)
        throw new RestError('timeoutBeforeSending', call, { deadlineMs });
      const ticket = circuit.begin(call);
      let sentFailure: RestError | undefined;
      let failure: unknown;
      try {
        for (let retries = 0; ; retries += 1) {
          try {
            return await attempt(call, toLeftMs(deadlineAt));
          } catch (error) {
            if (!(error instanceof RestError)) throw error;
            if (error.outcome !== 'NOT_SENT') sentFailure = error;
            const isSafe = retries < MAX_RETRIES && error.is('repeated') && this.isOpen();
            const hasTime = toLeftMs(deadlineAt) >= minLeftMs + RETRY_RESERVE_MS;
            // Retries only while the circuit is closed, because retries make it harder for a failing API to recover.
            if (!isSafe || circuit.state !== 'closed' || !hasTime)
              // A later `NOT_SENT` would hide that an attempt was sent.
              throw sentFailure ?? error;
            await sleep(toDelayMs(retries));
          }
        }
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        circuit.end(ticket, failure);
      }
    } finally {
      bulkhead.leave();
    }
  }
}

function toLeftMs(deadlineAt: number): number {
  return deadlineAt - performance.now();
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

/** Long enough for an API to recover a little, short enough that nobody waits long for an API that is back. */
const CIRCUIT_OPEN_MS = 5_000;

/** The circuit opens when there were 20 calls or more in the last 10 s, and half of them or more failed. */
const SAMPLE_SECONDS = 10;
const MIN_CALLS = 20;
const FAILURE_SHARE = 0.5;

/** The circuit breaker. A probe that succeeds closes the circuit; a probe that fails opens it again. */
class Circuit {
  #seconds: { readonly second: number; calls: number; failures: number }[] = [];
  #state: CircuitBreakerState = 'closed';
  /** Number of times that the circuit has opened. Serves as the ticket of a call. */
  #openings = 0;
  /** Earliest time of the next probe, by `performance.now()`, which is monotonic. */
  #probeAt = 0;

  constructor(private readonly options: ResilienceOptions) {}

  get state(): CircuitBreakerState {
    return this.#state;
  }

  /**
   * Refuses a call that `begin` would refuse now.
   *
   * @throws RestError `circuitOpen` while the circuit is open and no probe is due, and while a probe is under way
   */
  check(call: JsonCall): void {
    if (this.#state === 'closed') return;
    const leftMs = this.#probeAt - performance.now();
    if (this.#state === 'half-open' || leftMs > 0)
      throw new RestError('circuitOpen', call, {
        retryAfterSeconds: Math.max(Math.ceil(leftMs / 1000), 1),
      });
  }

  /**
   * Lets a call through, as the probe if the circuit has been open for `circuitOpenMs`.
   *
   * @returns ticket to pass to `end`
   * @throws RestError under the same conditions as `check`
   */
  begin(call: JsonCall): number {
    this.check(call);
    if (this.#state === 'open') this.#change('half-open');
    return this.#openings;
  }

  /**
   * Records the result of a call. Ignores a call that began before the circuit last opened.
   *
   * @param ticket from `begin`
   * @param error the call's error; `undefined` when the call succeeded
   */
  end(ticket: number, error: unknown): void {
    if (ticket !== this.#openings) return;
    const isFailure =
      error !== undefined && error instanceof RestError && error.meaning.opensCircuit;
    const isProbe = this.#state === 'half-open';
    if (isProbe && !isFailure) {
      this.#seconds = [];
      this.#change('closed');
    }
    this.#count(isFailure);
    if (isFailure && (isProbe || this.#isFailing)) {
      this.#openings += 1;
      this.#probeAt = performance.now() + (this.options.circuitOpenMs ?? CIRCUIT_OPEN_MS);
      this.#change('open');
    }
  }

  #count(isFailure: boolean): void {
    const second = Math.floor(performance.now() / 1000);
    let last = this.#seconds.at(-1);
    if (last?.second !== second) {
      last = { second, calls: 0, failures: 0 };
      const oldest = second - SAMPLE_SECONDS + 1;
      this.#seconds = this.#seconds.filter((it) => it.second >= oldest);
      this.#seconds.push(last);
    }
    last.calls += 1;
    if (isFailure) last.failures += 1;
  }

  get #isFailing(): boolean {
    let calls = 0;
    let failures = 0;
    for (const second of this.#seconds) {
      calls += second.calls;
      failures += second.failures;
    }
    return calls >= MIN_CALLS && failures >= calls * FAILURE_SHARE;
  }

  #change(state: CircuitBreakerState): void {
    this.#state = state;
    this.options.onCircuitChange?.(state);
  }
}
