import type { AnswerBudget } from './answer-budget.js';
import type { AnswerRoom } from './answer-room.js';

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
   * Ends the claim of an answer that has been read.
   *
   * @param usedBytes part of the room that stays held until the operation has ended
   */
  keep(usedBytes: number): void {
    if (this.#isGranted) this.room.keep(this.bytes, usedBytes);
  }

  /** Ends the claim of an answer that is no longer needed, or will not come. */
  drop(budget: AnswerBudget): void {
    if (this.#isGranted) this.room.keep(this.bytes, 0);
    else if (this.#isGranted === undefined) budget.leave(this);
  }
}
