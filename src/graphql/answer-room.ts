import type { Claim, Flow, Room } from 'rest-outcome';

/** A room that waits for bytes of the budget. */
interface Waiting {
  readonly bytes: number;
  readonly onRoom: () => void;
}

/**
 * Bytes for the long answers of all operations. An operation waits for bytes only while it holds none, in the order of
 * arrival. So no operation that holds bytes waits, and operations cannot deadlock.
 */
export class AnswerBudget {
  #freeBytes: number;
  readonly #line: Waiting[] = [];

  constructor(readonly maxBytes: number) {
    this.#freeBytes = maxBytes;
  }

  get isAwaited(): boolean {
    return this.#line.length > 0;
  }

  /** Takes bytes now or later, and then calls `onRoom`. */
  take(waiting: Waiting): void {
    this.#line.push(waiting);
    this.give(0);
  }

  /** Takes bytes now, or returns false. */
  tryToTake(bytes: number): boolean {
    if (bytes > this.#freeBytes) return false;
    this.#freeBytes -= bytes;
    return true;
  }

  leave(waiting: Waiting): void {
    const index = this.#line.indexOf(waiting);
    if (index !== -1) this.#line.splice(index, 1);
    this.give(0);
  }

  /** @param bytes negative to take bytes that may not be free: later operations wait until they are */
  give(bytes: number): void {
    this.#freeBytes += bytes;
    for (let next = this.#line[0]; next && this.tryToTake(next.bytes); next = this.#line[0]) {
      this.#line.shift();
      next.onRoom();
    }
  }
}

type OnDecision = (isGranted: boolean) => void;

/** The part of the budget that one operation reserves for its long answers and for its response. */
export class AnswerRoom implements Room {
  readonly #budget: AnswerBudget;
  /** Number of root fields that have begun. With more than one, the first long answer is not the only one. */
  #fields = 0;
  #heldBytes = 0;
  /** Part of `#heldBytes` that no answer uses. */
  #unusedBytes = 0;
  /** Answers that wait for the reservation; `undefined` when the operation does not wait. */
  #waiting: (Waiting & { readonly answers: Set<OnDecision> }) | undefined;
  #isOver = false;

  constructor(budget: AnswerBudget) {
    this.#budget = budget;
  }

  get isHeld(): boolean {
    return this.#heldBytes > 0;
  }

  /** True if another operation waits for bytes that this operation holds. */
  get isAwaited(): boolean {
    return this.#budget.isAwaited;
  }

  get limit(): string {
    return `at most ${this.#budget.maxBytes.toLocaleString('en')} bytes for all long answers`;
  }

  addStep(): void {
    this.#fields += 1;
  }

  /** Reserves memory for a long answer and all later ones, unless the operation has a reservation. */
  claim(bytes: number, maxBytes: number, flow: Flow): Claim {
    let usedBytes = 0;
    let length = 0;
    let isWaiting = false;
    let isReleased = false;
    const use = (): boolean => {
      const isGranted = this.use(length - usedBytes);
      if (isGranted) usedBytes = length;
      else flow.refuse();
      return isGranted;
    };
    const onDecision = (isGranted: boolean): void => {
      isWaiting = false;
      if (isReleased) return;
      if (!isGranted) flow.refuse();
      else if (use()) flow.resume();
    };
    // Other root fields may have long answers too.
    isWaiting = !this.#reserve(this.#fields > 1 ? maxBytes : bytes, onDecision);
    const hasWaited = isWaiting;
    if (hasWaited) flow.pause();
    return {
      hasWaited,
      use(soFar) {
        length = soFar;
        if (!isWaiting) use();
      },
      release: () => {
        isReleased = true;
        this.#leave(onDecision);
        this.use(-usedBytes);
      },
    };
  }

  /**
   * Returns true if answers can be read now; otherwise calls `onDecision` by `setImmediate`, because one undici parser must
   * not resume another synchronously.
   */
  #reserve(bytes: number, onDecision: OnDecision): boolean {
    if (this.isHeld || this.#isOver) return true;
    if (!this.#waiting) {
      const answers = new Set<OnDecision>();
      const onRoom = (): void => this.#hold(bytes);
      this.#waiting = { bytes, onRoom, answers };
      this.#budget.take(this.#waiting);
    }
    this.#waiting?.answers.add(onDecision);
    return this.isHeld;
  }

  #hold(bytes: number): void {
    this.#heldBytes = bytes;
    this.#unusedBytes = bytes;
    this.#decide(true);
  }

  #decide(isGranted: boolean): void {
    for (const onDecision of this.#waiting?.answers ?? []) setImmediate(onDecision, isGranted);
    this.#waiting = undefined;
  }

  #leave(onDecision: OnDecision): void {
    const waiting = this.#waiting;
    if (!waiting?.answers.delete(onDecision) || waiting.answers.size > 0) return;
    this.#waiting = undefined;
    this.#budget.leave(waiting);
  }

  /** Uses bytes of the reservation for an answer. Beyond the reservation, takes what is free without waiting. */
  use(bytes: number): boolean {
    if (this.#isOver) return false;
    const missingBytes = Math.max(0, bytes - this.#unusedBytes);
    if (missingBytes > 0 && !this.#budget.tryToTake(missingBytes)) return false;
    this.#heldBytes += missingBytes;
    this.#unusedBytes += missingBytes - bytes;
    return true;
  }

  /** Replaces the reservation by the bytes of the response, which the operation holds until `end`. */
  keep(bytes: number): void {
    const givenBytes = this.#heldBytes - bytes;
    this.#heldBytes = bytes;
    this.#unusedBytes = 0;
    this.#budget.give(givenBytes);
  }

  /** Gives all bytes back. Call when the response has been written or the client has disconnected. */
  end(): void {
    this.keep(0);
    this.#isOver = true;
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#decide(false);
    this.#budget.leave(waiting);
  }
}
