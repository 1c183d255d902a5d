import { randomInt, randomUUID } from 'node:crypto';
import type { FieldName } from 'study-gateway-contract';
import { strategies } from './fields.js';

/** What is known of the studies of one run. */
interface Sent {
  readonly run: string;
  readonly marker: string;
  readonly projectId: string;
  readonly status: string | undefined;
}

/** Values to send. */
export class Values {
  readonly #choices = new Map<FieldName, number>();

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
    const text = `${field} ${run}${salt > 0 ? ` ${salt}` : ''} é e\u0301 漢 🙂`;
    switch (field) {
      case 'description':
        return [salt > 0 ? `${marker} (${salt})` : marker];
      case 'projectId':
        return [salt > 0 ? randomUUID() : projectId];
      case 'createdAt':
        return [
          `2001-02-03T04:05:0${salt}.123456${salt > 0 ? '' : 7}+02:00`,
          `2001-02-03T02:05:0${salt}.000Z`,
        ];
      case 'bookmarked':
        return [true];
      case 'language':
        return [`x-probe-${run}${salt > 0 ? salt : ''}`, 'en'];
      case 'progress':
        return [
          {
            total: 90_000 + randomInt(9_000) + salt,
            completed: 40_000 + salt,
            failed: 20_000 + salt,
          },
        ];
      case 'interviewCount':
        return [7_000 + randomInt(900) * 10 + salt];
      case 'status':
        return [status];
      case 'solutionId':
      case 'researchGoalId':
        return [randomUUID()];
      case 'strategy':
        return [strategies[salt % strategies.length]];
      case 'knowledgeGraphs':
        return [[text], [strategies[(salt + 2) % strategies.length]]];
      default:
        // In no alphabetical order, and with a space that trimming removes.
        return [[`${text} `, `a ${text}`]];
    }
  }
}
