/** Limits how many calls run at once, and how many more queue. Default: a queue without limit. */
export class Bulkhead {
  readonly #max: number;
  readonly #maxQueued: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(max: number, maxQueued = Infinity) {
    this.#max = max;
    this.#maxQueued = maxQueued;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Whether the bulkhead has room neither for another call nor in the queue. */
  get isFull(): boolean {
    return this.#running >= this.#max && this.#queue.length >= this.#maxQueued;
  }

  /**
   * Enters at once, and returns `undefined`; or queues, and resolves whether the call entered within `waitMs`. Each
   * call that entered must `leave`.
   *
   * @param waitMs default: no limit
   */
  enter(waitMs?: number): Promise<boolean> | undefined {
    if (this.#running >= this.#max) return this.#wait(waitMs);
    this.#running += 1;
    return undefined;
  }

  #wait(waitMs: number | undefined): Promise<boolean> {
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

  /** Lets the next call of the queue enter. */
  leave(): void {
    const admit = this.#queue.shift();
    if (admit) admit();
    else this.#running -= 1;
  }
}
