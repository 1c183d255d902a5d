import { randomUUID } from 'node:crypto';
import { ask, askPatiently, type Answer, type Call } from './ask.js';
import { endings, findLies, toAccount, type EndingName, type Word } from './study-api.js';
import type { Process, World } from './world.fixture.js';

/** The caller of the first call, the same account with a renewed token, or others, who cannot read its studies. */
export const tokens = { same: 'ada.1', renewed: 'ada.2', strange: 'eve.1' } as const;

type Caller = keyof typeof tokens;

export interface Case {
  readonly ending: EndingName;
  readonly field: Call['field'];
  /** Whether the repeat comes to the other process. */
  readonly elsewhere: boolean;
  readonly caller: Caller;
  /** Whether the Study API has `GET /studies/{id}`. */
  readonly reads: boolean;
}

/**
 * How far a repeat may be from the table if Redis fails: `refused` while Redis fails, `UNKNOWN` if Redis failed during the
 * first call, and a new write if Redis lost its keys.
 */
export type Slack = 'none' | 'refused' | 'unknown' | 'lost';

/** One key: its first call, and repeats one after the other. Complaints are what contradicts the table. `holds` has the first call wait. */
export class Trial {
  readonly mark = `mark ${randomUUID()}`;
  readonly key = randomUUID();
  readonly complaints: string[] = [];
  readonly answers: Answer[] = [];
  /** What the table knows of the key: the word, the token and the id of the last call that was sent. */
  private last: { word: Word; token: string; id: string | undefined } | undefined;
  private readonly id: string | undefined;

  constructor(
    private readonly world: World,
    readonly given: Case,
    holds?: 'before' | 'after',
  ) {
    world.api.end(this.mark, { ...endings[given.ending].ending, ...(holds && { holds }) });
    if (given.field === 'editStudy') this.id = world.api.create(tokens.same);
  }

  /** Makes the first call. With `hindered` Redis is not there for it. */
  async first({ hindered = false } = {}): Promise<void> {
    const answer = await this.call(this.toProcess(false), tokens.same, !hindered);
    const words: readonly Word[] = hindered ? ['NOT_SENT'] : endings[this.given.ending].words;
    if (!words.includes(answer.word)) this.complain('first call', answer, words.join(' or '));
    this.learn(answer, tokens.same);
    // The Study API did not come to this ending.
    if (hindered) this.world.api.end(this.mark);
  }

  /** Makes a repeat, and compares it with the row of the table. */
  async repeat(slack: Slack = 'none', caller = this.given.caller): Promise<void> {
    const { elsewhere, reads, field } = this.given;
    const token = tokens[caller];
    const before = await this.world.api.ledger(this.mark);
    const answer = await this.call(this.toProcess(elsewhere), token, slack !== 'refused');
    const after = await this.world.api.ledger(this.mark);
    const sent = after.writes.length - before.writes.length;
    const read = after.reads.length - before.reads.length;
    const found = `${answer.word}${answer.extensions.studyId ? ' with id' : ''}, ${sent} sent, ${read} read`;
    const { word, token: by, id } = this.last ?? { word: 'NOT_SENT', token, id: undefined };
    const isSame = by === token;
    const owner = toAccount(field === 'editStudy' ? tokens.same : by);
    const readable = reads && toAccount(token) === owner;

    let expected: string[];
    if (word === 'NOT_SENT' || word === 'REJECTED') {
      const refuses = field === 'editStudy' && caller === 'strange';
      expected = [`${refuses ? 'REJECTED' : 'study'}, 1 sent, 0 read`];
    } else if (word === 'UNKNOWN') expected = ['UNKNOWN, 0 sent, 0 read'];
    else if (readable && id) expected = ['study, 0 sent, 1 read'];
    else if (isSame) {
      expected = [`APPLIED${id ? ' with id' : ''}, 0 sent, 0 read`];
      // The id of an edit is in the call itself.
      if (!id && field === 'editStudy')
        expected.push('APPLIED with id, 0 sent, 0 read', 'study, 0 sent, 1 read');
    } else {
      expected = [`UNKNOWN, 0 sent, 0 read`, `UNKNOWN, 0 sent, 1 read`];
      if (!id && field === 'editStudy' && readable) expected.push('study, 0 sent, 1 read');
    }

    const isRow = expected.includes(found);
    const isSlack = found.startsWith('UNKNOWN, 0 sent');
    const isNew = /^(study|REJECTED), 1 sent, 0 read/.test(found);
    const isAllowed =
      isRow ||
      (slack === 'refused' && found === 'NOT_SENT, 0 sent, 0 read') ||
      (['unknown', 'lost'].includes(slack) && isSlack) ||
      (slack === 'lost' && isNew);
    if (!isAllowed)
      this.complain(`repeat by ${caller} after ${word}: ${found}`, answer, expected.join(' or '));
    if (sent > 0) this.learn(answer, token);
    // After `unknown`, the end of the first call may be recorded once Redis is back: its row holds again.
    else if (isSlack && !isRow && slack !== 'unknown')
      this.last = { word: 'UNKNOWN', token: by, id: undefined };
  }

  /** Makes a call that must be refused because Redis is not there. */
  async refused(): Promise<Answer> {
    const before = await this.world.api.ledger(this.mark);
    const process = this.toProcess(this.given.elsewhere);
    const answer = await this.call(process, tokens[this.given.caller], false);
    const after = await this.world.api.ledger(this.mark);
    if (answer.word !== 'NOT_SENT' || after.writes.length !== before.writes.length)
      this.complain('call without Redis', answer, 'NOT_SENT');
    return answer;
  }

  /** Compares all answers with the ledger. Returns all complaints. */
  async judge({ mayLose = false } = {}): Promise<string[]> {
    const { writes } = await this.world.api.ledger(this.mark);
    const carried = writes.filter((write) => write.carried);
    const complain = (text: string): void => {
      this.complaints.push(`${this.title}: ${text}; ledger ${JSON.stringify(writes)}`);
    };
    if (carried.length > 1 && !mayLose) complain(`written ${carried.length} times`);
    for (const answer of this.answers) {
      const { word, requestId, study, extensions, text } = answer;
      for (const lie of findLies(answer, writes, this.id)) complain(`${lie}: ${text}`);
      if (word === 'REJECTED' && writes.every((write) => write.requestId !== requestId))
        complain(`REJECTED of a write that was not sent: ${text}`);
      const told = study?.id ?? extensions.studyId;
      if (told && carried.every(({ studyId }) => studyId !== told)) complain(`another id: ${text}`);
      if (word === 'study' && study?.description !== this.mark) complain(`another study: ${text}`);
      if (word !== 'NOT_SENT' && extensions.retryable && extensions.code !== 'RATE_LIMITED')
        complain(`retryable: ${text}`);
    }
    return this.complaints;
  }

  get title(): string {
    const { ending, field, elsewhere, caller, reads } = this.given;
    return `${field}, ${ending}, ${caller} token ${elsewhere ? 'elsewhere' : 'here'}${reads ? '' : ', no GET'}`;
  }

  private toProcess(elsewhere: boolean): Process {
    const [here, there, hereWithout, thereWithout] = this.world.processes;
    if (this.given.reads) return elsewhere ? there! : here!;
    return elsewhere ? thereWithout! : hereWithout!;
  }

  private async call({ url }: Process, token: string, isPatient: boolean): Promise<Answer> {
    const { field } = this.given;
    const call: Call = {
      field,
      mark: this.mark,
      key: this.key,
      token,
      ...(this.id && { id: this.id }),
    };
    const record = (answer: Answer): void => void this.answers.push(answer);
    const answer = await (isPatient ? askPatiently(url, call, record) : ask(url, call));
    if (!isPatient) record(answer);
    // At this moment, not later.
    const { writes } = await this.world.api.ledger(this.mark);
    if (['APPLIED', 'study'].includes(answer.word) && writes.every(({ carried }) => !carried))
      this.complain('too early', answer, 'nothing of the kind');
    return answer;
  }

  private learn({ word, study, extensions }: Answer, token: string): void {
    this.last = { word, token, id: study?.id ?? extensions.studyId };
  }

  private complain(what: string, { text, ms }: Answer, expected: string): void {
    this.complaints.push(
      `${this.title}: ${what}, expected ${expected}: ${text} after ${Math.round(ms)} ms`,
    );
  }
}

/** Runs `act` for all items, so many at a time. */
export async function each<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  atOnce = 12,
): Promise<void> {
  const rest = items.values();
  const work = async (): Promise<void> => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
