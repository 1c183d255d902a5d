import type { AnswerBudget } from './answer-budget.js';

/** The room that the answers of one operation hold in memory, until its response has been written. */
export class AnswerRoom {
  #budget: AnswerBudget | undefined;
  #heldBytes = 0;
  /** The part of them whose calls have ended. */
  #keptBytes = 0;
  #isOver = false;

  get isHeld(): boolean {
    return this.#heldBytes > 0;
  }

  /** Whether a call that holds room is under way: its end gives back what its answer does not use. */
  get isReading(): boolean {
    return this.#heldBytes > this.#keptBytes;
  }

  /** Is called by the budget, which has so much less. */
  hold(budget: AnswerBudget, bytes: number): void {
    this.#budget = budget;
    this.#heldBytes += bytes;
  }

  /**
   * Ends a call.
   *
   * @param bytes that were held for it
   * @param usedBytes that its answer goes on using; after the response it uses none
   */
  keep(bytes: number, usedBytes: number): void {
    const keptBytes = this.#isOver ? 0 : usedBytes;
    this.#keptBytes += keptBytes;
    this.#give(bytes - keptBytes);
  }

  /** The response has been written, or nobody takes it any more. Calls that are still under way keep their room. */
  end(): void {
    this.#isOver = true;
    const bytes = this.#keptBytes;
    this.#keptBytes = 0;
    this.#give(bytes);
  }

  #give(bytes: number): void {
    this.#heldBytes -= bytes;
    // Also when nothing comes back: the last answer that is read decides claims that wait.
    this.#budget?.give(bytes);
  }
}
