/** Lets so many run at once, and so many more wait in line: by default all. */
export class Turns {
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

  /** `undefined` when it is its turn at once. Each turn is to be ended. */
  begin(): Promise<void> | undefined {
    if (this.#running >= this.#max) return new Promise((resolve) => this.#line.push(resolve));
    this.#running += 1;
    return undefined;
  }

  end(): void {
    const next = this.#line.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
