import type { AnswerBudget } from './answer-budget.js';
import type { AnswerRoom } from './answer-room.js';

/** The claim of one answer to room, from when it is needed until the call has ended. */
export class AnswerClaim {
  /** `undefined` while the claim waits. */
  #isGranted: boolean | undefined;

  /**
   * @param room of the operation that the answer is for
   * @param onDecision is called in a later phase of the event loop: undici's parsers must not be resumed out of one
   *   another, and when the deadlines of many calls pass together, none must go on in the room of one before it
   */
  constructor(
    readonly bytes: number,
    readonly room: AnswerRoom,
    private readonly onDecision: (isGranted: boolean) => void,
  ) {}

  get isGranted(): boolean {
    return this.#isGranted === true;
  }

  /** Is called by the budget. */
  decide(isGranted: boolean): void {
    this.#isGranted = isGranted;
    setImmediate(this.onDecision, isGranted);
  }

  /**
   * The answer has been read.
   *
   * @param usedBytes of the room stay held until the operation has ended
   */
  keep(usedBytes: number): void {
    if (this.#isGranted) this.room.keep(this.bytes, usedBytes);
  }

  /** The answer is not needed any more, or will not come. */
  drop(budget: AnswerBudget): void {
    if (this.#isGranted) this.room.keep(this.bytes, 0);
    else if (this.#isGranted === undefined) budget.leave(this);
  }
}
