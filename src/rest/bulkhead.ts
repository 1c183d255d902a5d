/** Lets so many run at once, and so many more wait in line: by default all. */
export class Bulkhead {
  readonly #max: number;
  readonly #maxQueued: number;
  readonly #line: (() => void)[] = [];
  #running = 0;

  constructor(max: number, maxQueued = Infinity) {
    this.#max = max;
    this.#maxQueued = maxQueued;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#line.length;
  }

  /** Whether the next one has to go away. */
  get isFull(): boolean {
    return this.#running >= this.#max && this.#line.length >= this.#maxQueued;
  }

  /**
   * `undefined` when it is its turn at once; else whether the turn comes within `waitMs`. Each turn must be ended.
   *
   * @param waitMs default: for ever
   */
  begin(waitMs?: number): Promise<boolean> | undefined {
    if (this.#running >= this.#max) return this.#wait(waitMs);
    this.#running += 1;
    return undefined;
  }

  #wait(waitMs: number | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const next = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const leave = (): void => {
        this.#line.splice(this.#line.indexOf(next), 1);
        resolve(false);
      };
      const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs);
      this.#line.push(next);
    });
  }

  end(): void {
    const next = this.#line.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
