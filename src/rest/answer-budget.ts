import type { AnswerClaim } from './answer-claim.js';

/**
 * The bytes that all long answers in memory may have together. Claims get room in the order in which they came. An
 * operation that holds room never waits for more, as operations that wait for each other's room would wait for ever: its
 * further claims are granted at once, or refused.
 */
export class AnswerBudget {
  #freeBytes: number;
  #line: AnswerClaim[] = [];

  constructor(maxBytes: number) {
    this.#freeBytes = maxBytes;
  }

  claim(claim: AnswerClaim): void {
    if (claim.room.isHeld) this.#decide(claim);
    else if (this.#line.length === 0 && this.#fits(claim)) this.#grant(claim);
    else this.#line.push(claim);
  }

  /** Withdraws a claim that waits. */
  leave(claim: AnswerClaim): void {
    this.#line = this.#line.filter((other) => other !== claim);
    // It may have been too long for what is free, and the next one is not.
    this.#serve();
  }

  give(bytes: number): void {
    this.#freeBytes += bytes;
    this.#serve();
  }

  #serve(): void {
    for (let next = this.#line[0]; next && this.#fits(next); next = this.#line[0]) {
      this.#line.shift();
      this.#grant(next);
    }
  }

  #grant(claim: AnswerClaim): void {
    const { bytes, room } = claim;
    this.#freeBytes -= bytes;
    room.hold(this, bytes);
    claim.decide(true);
    const others = this.#line.filter((other) => other.room === room);
    if (others.length === 0) return;
    this.#line = this.#line.filter((other) => other.room !== room);
    for (const other of others) this.#decide(other);
  }

  #decide(claim: AnswerClaim): void {
    if (this.#fits(claim)) this.#grant(claim);
    else claim.decide(false);
  }

  #fits({ bytes }: AnswerClaim): boolean {
    return bytes <= this.#freeBytes;
  }
}
