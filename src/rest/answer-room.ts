import type { AnswerBudget } from './answer-budget.js';

/** The room that the answers of one operation hold in memory, until its response has been written. */
export class AnswerRoom {
  #budget: AnswerBudget | undefined;
  #heldBytes = 0;
  /** The part of them whose calls have ended. */
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

  /** Is called by the budget, which has so much less. */
  hold(budget: AnswerBudget, bytes: number): void {
    this.#budget = budget;
    this.#heldBytes += bytes;
    this.#reading += 1;
  }

  /**
   * Ends a call.
   *
   * @param bytes that were held for it
   * @param usedBytes that its answer goes on using; after the response it uses none
   */
  keep(bytes: number, usedBytes: number): void {
    this.#reading -= 1;
    const keptBytes = this.#isOver ? 0 : usedBytes;
    this.#keptBytes += keptBytes;
    this.#give(bytes - keptBytes);
  }

  /** The response has been written, or nobody takes it any more. Calls that are still under way keep their room. */
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
