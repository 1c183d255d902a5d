/**
 * The bytes that all long answers in memory may have together. Claims get room in the order in which they came, those of
 * operations that hold room before all others: the sooner such an operation ends, the sooner its room is free. When all
 * operations that hold room wait for more, none would ever end: the newest of their claims is refused.
 */
export class AnswerBudget {
  #freeBytes: number;
  #line: AnswerClaim[] = [];
  readonly #holders = new Set<AnswerRoom>();

  constructor(maxBytes: number) {
    this.#freeBytes = maxBytes;
  }

  claim(claim: AnswerClaim): void {
    this.#line.push(claim);
    this.#serve();
  }

  /** Withdraws a claim that waits. */
  leave(claim: AnswerClaim): void {
    this.#remove(claim);
    this.#serve();
  }

  give(room: AnswerRoom, bytes: number): void {
    this.#freeBytes += bytes;
    if (!room.isHeld) this.#holders.delete(room);
    this.#serve();
  }

  #serve(): void {
    for (let next = this.#findNext(); next; next = this.#findNext()) this.#grant(next);
    for (let last = this.#findStuck(); last; last = this.#findStuck()) {
      this.#remove(last);
      last.decide(false);
    }
  }

  #findNext(): AnswerClaim | undefined {
    const ofHolders = this.#line.filter(({ room }) => room.isHeld);
    const candidates = ofHolders.length > 0 ? ofHolders : this.#line.slice(0, 1);
    return candidates.find(({ bytes }) => bytes <= this.#freeBytes);
  }

  /** The claim to refuse: `undefined` while an operation that holds room reads an answer, or waits for none. */
  #findStuck(): AnswerClaim | undefined {
    const last = this.#line.findLast(({ room }) => room.isHeld);
    if (!last) return undefined;
    const waiting = new Set(this.#line.map(({ room }) => room));
    const isStuck = [...this.#holders].every((room) => !room.isReading && waiting.has(room));
    return isStuck ? last : undefined;
  }

  #grant(claim: AnswerClaim): void {
    const { bytes, room } = claim;
    this.#remove(claim);
    this.#freeBytes -= bytes;
    this.#holders.add(room);
    room.hold(this, bytes);
    claim.decide(true);
  }

  #remove(claim: AnswerClaim): void {
    this.#line = this.#line.filter((other) => other !== claim);
  }
}

/** The room that the answers of one operation hold in memory, until its response has been written. */
export class AnswerRoom {
  #budget: AnswerBudget | undefined;
  #heldBytes = 0;
  /** Bytes of calls that have ended. */
  #keptBytes = 0;
  /** Calls whose answers are being read. */
  #reading = 0;
  #isOver = false;

  get isReading(): boolean {
    return this.#reading > 0;
  }

  get isHeld(): boolean {
    return this.#heldBytes > 0;
  }

  /** For the budget: takes bytes out of the budget for a call. */
  hold(budget: AnswerBudget, bytes: number): void {
    this.#budget = budget;
    this.#heldBytes += bytes;
    this.#reading += 1;
  }

  /**
   * Ends a call.
   *
   * @param bytes held for the call
   * @param usedBytes part that the answer goes on using; none after the response
   */
  keep(bytes: number, usedBytes: number): void {
    this.#reading -= 1;
    const keptBytes = this.#isOver ? 0 : usedBytes;
    this.#keptBytes += keptBytes;
    this.#give(bytes - keptBytes);
  }

  /** Call when the response has been written, or its client has left. Calls under way keep their room. */
  end(): void {
    this.#isOver = true;
    this.#give(this.#keptBytes);
    this.#keptBytes = 0;
  }

  #give(bytes: number): void {
    this.#heldBytes -= bytes;
    this.#budget?.give(this, bytes);
  }
}

/** The claim of one answer to room in memory, until the call has ended. */
export class AnswerClaim {
  /** `undefined` while the claim waits for the budget. */
  #isGranted: boolean | undefined;

  /**
   * @param room room of the operation that the answer is for
   * @param onDecision called in a later phase of the event loop: one undici parser must not resume another, and when
   *   the deadlines of many calls pass together, no call may go on in the room that another has just given back
   */
  constructor(
    readonly bytes: number,
    readonly room: AnswerRoom,
    private readonly onDecision: (isGranted: boolean) => void,
  ) {}

  get isGranted(): boolean {
    return this.#isGranted === true;
  }

  /** For the budget: grants or refuses the claim. */
  decide(isGranted: boolean): void {
    this.#isGranted = isGranted;
    setImmediate(this.onDecision, isGranted);
  }

  /**
   * Ends the claim. A claim that still waits is withdrawn from the budget.
   *
   * @param usedBytes part of the room that the answer holds until the operation has ended; 0 where no answer came
   */
  end(budget: AnswerBudget, usedBytes: number): void {
    if (this.#isGranted) this.room.keep(this.bytes, usedBytes);
    else if (this.#isGranted === undefined) budget.leave(this);
  }
}
