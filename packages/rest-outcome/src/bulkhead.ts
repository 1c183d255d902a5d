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
    if (this.#running >= this.max) return this.#wait(waitMs);
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

  /** Call after an admitted call. Admits the next call of the queue. */
  leave(): void {
    const admit = this.#queue.shift();
    if (admit) admit();
    else this.#running -= 1;
  }
}
