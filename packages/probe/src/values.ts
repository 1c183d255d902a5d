import { randomInt, randomUUID } from 'node:crypto';
import type { FieldName } from 'study-gateway-contract';
import { strategies } from './fields.js';

/** Known facts about the studies of one run. */
interface Sent {
  readonly run: string;
  readonly marker: string;
  readonly projectId: string;
  readonly status: string | undefined;
}

/** Values to send. */
export class Values {
  readonly #choices = new Map<FieldName, number>();
  readonly #total = 90_000 + 10 * randomInt(900);

  constructor(readonly sent: Sent) {}

  /** Leaves the value that was tried. Returns false if there is no other one. */
  avoid(field: FieldName): boolean {
    this.#choices.set(field, (this.#choices.get(field) ?? 0) + 1);
    return this.toValue(field) !== undefined;
  }

  /** Returns the value to try next; `undefined` after the last one. A `salt` makes another value. */
  toValue(field: FieldName, salt = 0): unknown {
    return this.#toChoices(field, salt)[this.#choices.get(field) ?? 0];
  }

  /** Values that nothing else has, the best one first. */
  #toChoices(field: FieldName, salt: number): readonly unknown[] {
    const { projectId, status, marker, run } = this.sent;
    const number = salt > 0 ? ` ${salt}` : '';
    const text = `${field} ${run}${number} é e\u0301 漢 🙂`;
    const others: Partial<Record<FieldName, readonly unknown[]>> = {
      description: [marker + number],
      projectId: [salt > 0 ? randomUUID() : projectId],
      createdAt: [
        `2001-02-03T04:05:0${salt}.123456${salt > 0 ? '' : 7}+02:00`,
        `2001-02-03T02:05:0${salt}.000Z`,
      ],
      bookmarked: [true],
      language: [`x-probe-${run}${number.trim()}`, 'en'],
      progress: [{ total: this.#total + salt, completed: 40_000 + salt, failed: 20_000 + salt }],
      interviewCount: [this.#total / 10 + salt],
      status: [status],
      solutionId: [randomUUID()],
      researchGoalId: [randomUUID()],
      strategy: [strategies[salt % strategies.length]],
      knowledgeGraphs: [[text], [strategies[(salt + 2) % strategies.length]]],
    };
    // In no alphabetical order, and with a space that trimming removes.
    return others[field] ?? [[`${text} `, `a ${text}`]];
  }
}
