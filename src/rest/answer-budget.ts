import type { AnswerClaim } from './answer-claim.js';
import type { AnswerRoom } from './answer-room.js';

/**
 * The bytes that all long answers in memory may have together. Claims get room in the order in which they came, those of
 * operations that hold room before all others: the sooner such an operation ends, the sooner its room is free. When all
 * operations that hold room wait for more, they would wait for ever: the newest of their claims is refused then.
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
