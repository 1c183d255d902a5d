import type { AnswerClaim } from './answer-claim.js';

/**
 * The bytes that all long answers in memory may have together. Operations get their first room in the order in which
 * their claims came; an operation that holds room comes before them. It waits for more only while one of its own answers
 * is being read, and is refused otherwise: operations that wait for each other's room would wait for ever.
 */
export class AnswerBudget {
  #freeBytes: number;
  #line: AnswerClaim[] = [];

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
    // It may have been too long for what is free, and the next one is not.
    this.#serve();
  }

  give(bytes: number): void {
    this.#freeBytes += bytes;
    this.#serve();
  }

  #serve(): void {
    for (let next = this.#findNext(); next; next = this.#findNext()) this.#grant(next);
    for (const claim of this.#line.filter(({ room }) => room.isHeld && !room.isReading)) {
      this.#remove(claim);
      claim.decide(false);
    }
  }

  #findNext(): AnswerClaim | undefined {
    const ofHolder = this.#line.find((claim) => claim.room.isHeld && this.#fits(claim));
    if (ofHolder) return ofHolder;
    const first = this.#line.find(({ room }) => !room.isHeld);
    return first && this.#fits(first) ? first : undefined;
  }

  #grant(claim: AnswerClaim): void {
    this.#remove(claim);
    this.#freeBytes -= claim.bytes;
    claim.room.hold(this, claim.bytes);
    claim.decide(true);
  }

  #remove(claim: AnswerClaim): void {
    this.#line = this.#line.filter((other) => other !== claim);
  }

  #fits({ bytes }: AnswerClaim): boolean {
    return bytes <= this.#freeBytes;
  }
}
