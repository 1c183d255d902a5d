import type { JsonObject, ReadCall, Step } from 'rest-outcome';

/** The reads of one operation. Equal reads are one call, and all of them get its answer or its error. */
export class EqualReads {
  #answers: Map<string, Promise<JsonObject>> | undefined;

  /** Sends the call as a read of `field`, unless a root field of the operation has sent a call with this path and query. */
  read(field: Step, call: ReadCall): Promise<JsonObject> {
    this.#answers ??= new Map();
    const known = this.#answers.get(call.path);
    if (known) return known;
    const answer = field.read(call);
    this.#answers.set(call.path, answer);
    return answer;
  }

  /** Call before a write, after which an equal read may get another answer. */
  forget(): void {
    this.#answers = undefined;
  }
}
