/**
 * Limits the total size of the long answers in memory. Grants claims in the order of arrival, but claims of operations
 * that already hold room go first, so that these operations end and free their room. When all of these operations wait
 * for more room, they are deadlocked, and the budget refuses the newest of their claims.
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

  /** Withdraws a waiting claim. */
  leave(claim: AnswerClaim): void {
    this.#remove(claim);
    this.#serve();
  }

  /** Takes back bytes that were granted to a room. */
  give(room: AnswerRoom, bytes: number): void {
    this.#freeBytes += bytes;
    if (!room.isHeld) this.#holders.delete(room);
    this.#serve();
  }

  #serve(): void {
    for (let next = this.#findNext(); next; next = this.#findNext()) this.#grant(next);
    for (let last = this.#findDeadlocked(); last; last = this.#findDeadlocked()) {
      this.#remove(last);
      last.decide(false);
    }
  }

  #findNext(): AnswerClaim | undefined {
    const ofHolders = this.#line.filter(({ room }) => room.isHeld);
    const candidates = ofHolders.length > 0 ? ofHolders : this.#line.slice(0, 1);
    return candidates.find(({ bytes }) => bytes <= this.#freeBytes);
  }

  /**
   * Returns the claim to refuse if there is a deadlock: every operation that holds room has a waiting claim, and is
   * reading no answer. Otherwise returns `undefined`.
   */
  #findDeadlocked(): AnswerClaim | undefined {
    const last = this.#line.findLast(({ room }) => room.isHeld);
    if (!last) return undefined;
    const waiting = new Set(this.#line.map(({ room }) => room));
    const isDeadlock = [...this.#holders].every((room) => !room.isReading && waiting.has(room));
    return isDeadlock ? last : undefined;
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

/** The part of the answer budget that one operation holds until its response has been written. */
export class AnswerRoom {
  #budget: AnswerBudget | undefined;
  #heldBytes = 0;
  /** The part of `#heldBytes` that answers of ended calls still use. */
  #keptBytes = 0;
  /** Number of calls whose answers are being read. */
  #reading = 0;
  #isOver = false;

  get isReading(): boolean {
    return this.#reading > 0;
  }

  get isHeld(): boolean {
    return this.#heldBytes > 0;
  }

  /** Adds the bytes that the budget has granted to a call. For `AnswerBudget` only. */
  hold(budget: AnswerBudget, bytes: number): void {
    this.#budget = budget;
    this.#heldBytes += bytes;
    this.#reading += 1;
  }

  /**
   * Ends a call, and gives back to the budget the bytes that its answer no longer uses.
   *
   * @param bytes granted to the call
   * @param usedBytes part of `bytes` that the answer goes on using until `end` is called; ignored after that
   */
  keep(bytes: number, usedBytes: number): void {
    this.#reading -= 1;
    const keptBytes = this.#isOver ? 0 : usedBytes;
    this.#keptBytes += keptBytes;
    this.#give(bytes - keptBytes);
  }

  /**
   * Gives the bytes of all ended calls back to the budget. Call when the response has been written or the client has
   * disconnected. Calls under way keep their bytes until they end.
   */
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

/** Claim of one answer to a part of the budget. Ends with the call. */
export class AnswerClaim {
  /** `undefined` until the budget has decided. */
  #isGranted: boolean | undefined;

  /**
   * @param room room of the operation to which the answer belongs
   * @param onDecision called by `setImmediate`: one undici parser must not resume another synchronously, and calls
   *   whose deadlines have passed must all time out before one of them can get the room that another frees
   */
  constructor(
    readonly bytes: number,
    readonly room: AnswerRoom,
    private readonly onDecision: (isGranted: boolean) => void,
  ) {}

  get isGranted(): boolean {
    return this.#isGranted === true;
  }

  /** Grants or refuses the claim. For `AnswerBudget` only. */
  decide(isGranted: boolean): void {
    this.#isGranted = isGranted;
    setImmediate(this.onDecision, isGranted);
  }

  /**
   * Ends the claim; withdraws a claim that still waits.
   *
   * @param usedBytes part of `bytes` that the answer goes on using until its operation ends; 0 if no answer came
   */
  end(budget: AnswerBudget, usedBytes: number): void {
    if (this.#isGranted) this.room.keep(this.bytes, usedBytes);
    else if (this.#isGranted === undefined) budget.leave(this);
  }
}
