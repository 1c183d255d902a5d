import { randomInt, randomUUID } from 'node:crypto';
import { strategies, type FieldName } from './fields.js';

export const steps: readonly (readonly [step: string, plan: string])[] = [
  ['refuse.unknown', 'PATCH an unknown id {bookmarked}'],
  ['refuse.token', 'PATCH an unknown id {bookmarked}, with a wrong token'],
  ['refuse.id', 'PATCH the id "not-a-uuid" {bookmarked}'],
  ['refuse.project', 'POST {projectId: "x"}'],
  ['refuse.flag', 'POST {bookmarked: {}}'],
  [
    'create.smallest',
    'POST {description, projectId}; again with what it demands (4 times at most)',
  ],
  [
    'create.whole',
    'POST all fields, each with a value of its own; again without what is refused (5 times at most)',
  ],
  ['create.names', 'POST the names that are not certain, in each manner'],
  ['create.renamed', 'POST all fields under the names that came back, if they are others'],
  ['create.again', 'POST the last body again, with its idempotency key'],
  ['edit.flag', 'PATCH {bookmarked: false}'],
  ['edit.null', 'PATCH {description: null}'],
  ['edit.empty', 'PATCH {audiences: [], files: [], interviews: [], knowledgeGraphs: []}'],
  ['edit.progress', 'PATCH {progress: {total: 9}}'],
  ['edit.unknown', 'PATCH {studyGatewayProbe}'],
  ['edit.date', 'PATCH {createdAt}, in UTC with microseconds'],
  ...strategies.map((name) => [`edit.strategy.${name}`, `PATCH {strategy: "${name}"}`] as const),
  ['edit.strategy.other', 'PATCH {strategy} with another text'],
  ['edit.status', 'PATCH {status}, only with --status'],
  ['edit.marker', 'PATCH {description}: the marker again, as the last request'],
];

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
  readonly #sent: Sent;

  constructor(sent: Sent) {
    this.#sent = sent;
  }

  /** Leaves the value that was tried. Returns false if there is no other one. */
  avoid(field: FieldName): boolean {
    this.#choices.set(field, (this.#choices.get(field) ?? 0) + 1);
    return this.toValue(field) !== undefined;
  }

  /** Returns the value to try next; `undefined` after the last one. */
  toValue(field: FieldName, salt = 0): unknown {
    const choice = this.#choices.get(field) ?? 0;
    return this.#toChoices(field, salt)[choice];
  }

  #toText(field: string, salt: number): string {
    return `${field} ${this.#sent.run}${salt > 0 ? ` ${salt}` : ''} é e\u0301 漢 🙂`;
  }

  /** Values that nothing else has, the best one first. A `salt` makes other values. */
  #toChoices(field: FieldName, salt: number): readonly unknown[] {
    const { projectId, status } = this.#sent;
    switch (field) {
      case 'description':
        return [salt > 0 ? `${this.#sent.marker} (${salt})` : this.#sent.marker];
      case 'projectId':
        return [salt > 0 ? randomUUID() : projectId];
      case 'createdAt':
        return [`2001-02-03T04:05:0${salt}.1234567+02:00`, `2001-02-03T02:05:0${salt}.000Z`];
      case 'bookmarked':
        return [true];
      case 'language':
        return [`x-probe-${this.#sent.run}${salt > 0 ? salt : ''}`, 'en'];
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
        return [[this.#toText(field, salt)], [strategies[(salt + 2) % strategies.length]]];
      default:
        return [[this.#toText(field, salt)]];
    }
  }
}
