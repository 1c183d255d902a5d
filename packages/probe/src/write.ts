import { randomInt, randomUUID } from 'node:crypto';
import type { Contract } from 'study-gateway-contract';
import { isSuccess, MAX_WRITES, Stopped, type Asker, type Exchange, type Question } from './ask.js';
import {
  createFields,
  isObject,
  namingRules,
  strategies,
  toApiName,
  toPlaces,
  type FieldName,
  type JsonObject,
  type Names,
  type Naming,
} from './fields.js';
import type { Journal } from './journal.js';
import { findStudy, isValue, learnNames, readStudy, toNames, type Sent } from './learn.js';
import { UNKNOWN_ID, WRONG_TOKEN } from './read.js';
import { readMentions } from './refusal.js';

export interface WriteOptions {
  readonly contract: Contract;
  readonly journal: Journal;
  readonly projectId: string;
  /** Status to send. Default: none, because a change of state may start paid interviews. */
  readonly status: string | undefined;
}

/** What writing has shown, beside the exchanges. */
export interface Written {
  /** What each create or edit has sent, by number and GraphQL names. */
  readonly sent: Map<number, Sent>;
  /** Ids of the studies that creates have made, by number. */
  readonly made: Map<number, string>;
  /** Fields that a refusal of a create has demanded. */
  readonly required: Set<FieldName>;
  /** Fields that no create took: for their name, or for each value that was tried. */
  readonly refused: Map<FieldName, 'name' | 'value'>;
  /** Names in requests whose value came back in an answer. */
  readonly settled: Map<FieldName, string>;
  /** Names with which the API took creates. */
  names: Names;
  /** Create with all fields that the API takes. */
  whole?: Exchange;
  /** Number of the create with the least fields that the API took. */
  smallest?: number;
  id?: string;
}

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
  ['edit.problems', 'PATCH {problems}'],
  ['edit.nothing', 'PATCH {}'],
  ...strategies.map((name) => [`edit.strategy.${name}`, `PATCH {strategy: "${name}"}`] as const),
  ['edit.strategy.other', 'PATCH {strategy} with another text'],
  ['edit.status', 'PATCH {status}, only with --status'],
  ['edit.marker', 'PATCH {description}: the marker again, as the last request'],
];

/** Creates and edits studies of its own, and of nobody else. */
export class Writer {
  readonly run = randomUUID().slice(0, 8);
  /** Text by which a person can find the studies of this run. */
  readonly marker = `study-gateway-probe ${this.run}: made to test this API, may be deleted`;
  readonly written: Written;
  readonly #choices = new Map<FieldName, number>();

  constructor(
    readonly asker: Asker,
    readonly options: WriteOptions,
  ) {
    const { naming, names } = options.contract.request;
    this.written = {
      sent: new Map(),
      made: new Map(),
      required: new Set(),
      refused: new Map(),
      settled: new Map(),
      names: { naming, names },
    };
  }

  /** Asks everything that writing can tell: refusals first, then creates, then edits. */
  async write(): Promise<void> {
    const { createStudy, editStudy } = this.options.contract.operations;
    if (editStudy) await this.#askForRefusals();
    if (createStudy) await this.#create();
    if (editStudy && this.written.id !== undefined) await this.#edit(this.written.id);
  }

  async #askForRefusals(): Promise<void> {
    const flag = { bookmarked: true };
    await this.#patch('refuse.unknown', UNKNOWN_ID, flag, { provokes: true });
    await this.#patch('refuse.token', UNKNOWN_ID, flag, { provokes: true, token: WRONG_TOKEN });
    await this.#patch('refuse.id', 'not-a-uuid', flag, { provokes: true });
  }

  async #create(): Promise<void> {
    const { written } = this;
    const more = { provokes: true };
    const { marker: description } = this;
    const first = await this.#post('refuse.project', { description, projectId: 'x' }, more);
    // Such an answer shows no study, so each create could leave one behind.
    if (first.fault !== undefined && first.status! < 400) return;
    // Without the project: the refusal may say that it is missing too.
    const { status, json } = await this.#post('refuse.flag', { description, bookmarked: {} }, more);
    if (status === 404 || status === 405) return;
    for (const { field, means } of readMentions(json, written.names))
      if (means === 'missing' && field === 'projectId') written.required.add(field);
    const smallest = await this.#attempt('create.smallest', ['description', 'projectId'], 4);
    if (this.#isMade(smallest)) written.smallest = smallest.number;
    const { absent } = this.options.contract.request;
    const wanted = createFields.filter((field) => !absent.createStudy.includes(field));
    const isWanted = (field: FieldName): boolean =>
      field !== 'status' || this.options.status !== undefined;
    const key = randomUUID();
    const whole = await this.#attempt('create.whole', wanted.filter(isWanted), 5, key);
    const made = [whole, smallest].find((one) => this.#isMade(one));
    if (!made) return;
    written.whole = made;
    const id = this.#readId(made);
    if (id !== undefined) written.id = id;
    if (made === whole) {
      await this.#settleNames(whole);
      await this.#repeat(whole, key);
    }
    await this.#readBack('back.created');
  }

  /** Repeats a create with its key, after it was sent under the names that are certain now. */
  async #repeat(whole: Exchange, key: string): Promise<void> {
    const { written } = this;
    const { request } = this.options.contract;
    const sent = written.sent.get(whole.number) ?? {};
    const names = toNames(written.settled, { ...request, naming: written.names.naming });
    const isOther = Object.keys(sent).some(
      (field) => toApiName(names, field) !== toApiName(written.names, field),
    );
    written.names = names;
    const used = isOther ? randomUUID() : key;
    if (isOther) {
      const renamed = await this.#post('create.renamed', sent, { key: used });
      if (!this.#isMade(renamed)) return;
      written.whole = renamed;
      written.id = this.#readId(renamed)!;
    }
    await this.#post('create.again', sent, { key: used });
  }

  /** Sends a create until the API takes it, changed by what each refusal says. */
  async #attempt(
    step: string,
    wanted: readonly FieldName[],
    times: number,
    key?: string,
  ): Promise<Exchange> {
    const body = new Set([...wanted, ...this.written.required]);
    for (let left = times; ; left -= 1) {
      const sent = Object.fromEntries([...body].map((field) => [field, this.#toValue(field)]));
      const exchange = await this.#post(step, sent, key === undefined ? {} : { key });
      const isRefused =
        exchange.status !== undefined && exchange.status >= 400 && exchange.status < 500;
      if (!isRefused || left === 1 || !this.asker.canWrite || !this.#adapt(exchange, body))
        return exchange;
    }
  }

  /** Changes what the next create sends. Returns false if the refusal says nothing that helps. */
  #adapt({ json }: Exchange, body: Set<FieldName>): boolean {
    const { written } = this;
    const mentions = readMentions(json, written.names);
    const naming = mentions.find((mention) => mention.naming !== undefined)?.naming;
    if (naming !== undefined) {
      written.names = { naming, names: {} };
      return true;
    }
    const isLong = (field: FieldName): boolean => /[A-Z]/.test(field);
    const strange = mentions.filter(({ field, means }) => means === 'name' && isLong(field));
    const areAll = strange.length > 0 && strange.length === [...body].filter(isLong).length;
    if (areAll && this.#tryNextNaming()) return true;
    for (const { field, means } of mentions) {
      if (means === 'missing' && !body.has(field)) {
        body.add(field);
        written.required.add(field);
      } else if (body.has(field)) this.#avoid(field, means === 'name' ? 'name' : 'value', body);
    }
    if (mentions.length > 0) return true;
    // An opaque refusal: other values for what is refused most often, and then without it.
    const suspects = (['knowledgeGraphs', 'language', 'createdAt', 'strategy'] as const).filter(
      (field) => body.has(field),
    );
    for (const field of suspects) this.#avoid(field, 'value', body);
    return suspects.length > 0;
  }

  #avoid(field: FieldName, reason: 'name' | 'value', body: Set<FieldName>): void {
    const choice = (this.#choices.get(field) ?? 0) + 1;
    this.#choices.set(field, choice);
    if (reason === 'value' && this.#toValue(field) !== undefined) return;
    body.delete(field);
    this.written.refused.set(field, reason);
  }

  #tryNextNaming(): boolean {
    const { written, options } = this;
    const known = [options.contract.request.naming, options.contract.answer.naming, ...namingRules];
    const rules: Naming[] = [...new Set(known)];
    const next = rules[rules.indexOf(written.names.naming) + 1];
    if (next === undefined) return false;
    written.names = { naming: next, names: {} };
    return true;
  }

  /**
   * Sends the fields whose value did not come back under each name that they may have, each time with another value: the
   * value that comes back settles the name.
   */
  async #settleNames(whole: Exchange): Promise<void> {
    const { written } = this;
    const sent = written.sent.get(whole.number) ?? {};
    const { study, learned } = this.#learn(whole, sent);
    for (const field of learned.byValue)
      written.settled.set(field, toApiName(written.names, field));
    const isOpen = (field: FieldName): boolean =>
      field !== 'bookmarked' && sent[field] !== undefined && !learned.byValue.has(field);
    const open = createFields.filter(isOpen);
    if (open.length === 0 || Object.keys(study).length === 0) return;
    const tried = open.flatMap((field) => {
      const names = namingRules.map((naming) => toApiName({ naming, names: {} }, field));
      return [...new Set([...names, learned.names.get(field) ?? field])].map((name, salt) => ({
        field,
        name,
        value: this.#toValue(field, salt + 1),
      }));
    });
    const certain = Object.fromEntries(
      Object.entries(sent).filter(([field]) => !open.some((one) => one === field)),
    );
    const variants = Object.fromEntries(tried.map(({ name, value }) => [name, value]));
    const exchange = await this.#post('create.names', certain, { provokes: true }, variants);
    const shown = readStudy(
      exchange.json,
      findStudy(exchange.json, this.options.contract.answer, certain),
    );
    for (const { field, name, value } of tried)
      if (isValue(field, value, shown[learned.names.get(field)!])) written.settled.set(field, name);
  }

  async #edit(id: string): Promise<void> {
    const edit = async (step: string, sent: JsonObject): Promise<Exchange | undefined> =>
      // One write is kept for the marker.
      this.asker.writes < MAX_WRITES - 1 ? this.#patch(step, id, sent) : undefined;
    const { status = 0 } = (await edit('edit.flag', { bookmarked: false })) ?? {};
    if (status === 404 || status === 405) return;
    const { status: state } = this.options;
    await edit('edit.null', { description: null });
    await edit('edit.empty', { audiences: [], files: [], interviews: [], knowledgeGraphs: [] });
    await edit('edit.progress', { progress: { total: 9 } });
    await edit('edit.unknown', { studyGatewayProbe: this.marker });
    await edit('edit.date', { createdAt: '2003-02-01T10:20:30.123456Z' });
    await edit('edit.problems', { problems: [this.#toText('problems', 1)] });
    await edit('edit.nothing', {});
    const [first] = [this.written.sent.get(this.written.whole?.number ?? 0)?.strategy];
    for (const strategy of strategies.filter((one) => one !== first))
      await edit(`edit.strategy.${strategy}`, { strategy });
    await edit('edit.strategy.other', { strategy: `probe ${this.run}` });
    if (state !== undefined) await edit('edit.status', { status: state });
    await this.#patch('edit.marker', id, { description: this.marker });
    await this.#readBack('back.edited');
  }

  async #readBack(step: string): Promise<void> {
    const { study } = this.options.contract.operations;
    const { id } = this.written;
    if (!study || id === undefined) return;
    const [path, shown] = [encodeURIComponent(id), '$STUDY_ID'].map((text) =>
      study.path.replace(/\{\w+\}/, () => text),
    );
    await this.asker.ask({ step, method: 'GET', path: path!, shown: shown!, provokes: true });
  }

  #isMade(exchange: Exchange): boolean {
    return isSuccess(exchange) && this.#readId(exchange) !== undefined;
  }

  #learn({ json }: Exchange, sent: Sent) {
    return this.#learnFrom(
      readStudy(json, findStudy(json, this.options.contract.answer, sent)),
      sent,
    );
  }

  #learnFrom(study: JsonObject, sent: Sent) {
    return { study, learned: learnNames({ studies: [study], sent }, this.options.contract.answer) };
  }

  #readId(exchange: Exchange): string | undefined {
    const { study, learned } = this.#learn(exchange, this.written.sent.get(exchange.number) ?? {});
    const id = study[learned.names.get('id') ?? learned.open.get('id')?.[0] ?? 'id'];
    return (typeof id === 'string' && id !== '' && id.isWellFormed()) || typeof id === 'number'
      ? String(id)
      : undefined;
  }

  #post(
    step: string,
    sent: Sent,
    more: Partial<Question> = {},
    variants: JsonObject = {},
  ): Promise<Exchange> {
    const { createStudy } = this.options.contract.operations;
    const path = createStudy ? createStudy.path : '/studies';
    return this.#send({ step, method: 'POST', path, shown: path, ...more }, sent, variants);
  }

  #patch(
    step: string,
    id: string,
    sent: Sent | JsonObject,
    more: Partial<Question> = {},
  ): Promise<Exchange> {
    const { editStudy } = this.options.contract.operations;
    const template = editStudy ? editStudy.path : '/studies/{study_id}';
    const path = template.replace(/\{\w+\}/, () => encodeURIComponent(id));
    const shown = template.replace(/\{\w+\}/, id === this.written.id ? '$STUDY_ID' : id);
    return this.#send({ step, method: 'PATCH', path, shown, ...more }, sent);
  }

  /** Writes the journal before the request, and after the answer. */
  async #send(question: Question, sent: JsonObject, variants: JsonObject = {}): Promise<Exchange> {
    const { asker, run, marker, options } = this;
    const { journal } = options;
    const number = asker.exchanges.length + 1;
    const body = { ...this.#toBody(sent), ...variants };
    const { origin, pathname } = asker.api.baseUrl;
    journal.write({ run, number, api: origin + pathname, marker, request: question.method });
    this.written.sent.set(number, sent);
    const answered = await asker.ask({ ...question, body }).catch((error: unknown) => {
      if (error instanceof Stopped) return error;
      throw error;
    });
    const exchange = asker.exchanges[number - 1]!;
    const made = this.#toMade(exchange);
    if (made.made) this.written.made.set(number, made.made);
    journal.write({ run, number, status: exchange.status ?? 0, ...made });
    if (!(answered instanceof Stopped)) return answered;
    if (made.made === null) await this.#search(number).catch(() => {});
    throw answered;
  }

  /** Returns the id of the study that a request has made, or `null` if nobody knows. */
  #toMade(exchange: Exchange): { made?: string | null } {
    const { method, status = 0 } = exchange;
    if (method !== 'POST') return {};
    // Proxies send these of their own, after they have passed a request on.
    if (status >= 400 && status < 500 && ![408, 460, 499].includes(status)) return {};
    const id = isSuccess(exchange) ? this.#readId(exchange) : undefined;
    return { made: id ?? null };
  }

  /** Looks for the study of a create without an answer. A create is never sent again. */
  async #search(number: number): Promise<void> {
    const { studies } = this.options.contract.operations;
    if (!studies) return;
    const { path } = studies;
    const question = { step: 'create.search', method: 'GET', path, shown: path } as const;
    const { json } = await this.asker.ask(question);
    const list = toPlaces(json)
      .flatMap(([, value]) => (Array.isArray(value) ? value : []))
      .filter(isObject);
    const marked = list.find((study) =>
      Object.values(study).some((text) => String(text).includes(this.run)),
    );
    const { learned } = this.#learnFrom(marked ?? {}, {});
    const id = marked?.[learned.names.get('id') ?? 'id'];
    if (typeof id === 'string') this.options.journal.write({ run: this.run, number, made: id });
  }

  #toBody(sent: JsonObject): JsonObject {
    const { names } = this.written;
    const rename = (object: JsonObject, prefix: string): JsonObject =>
      Object.fromEntries(
        Object.entries(object).map(([name, value]) => [toApiName(names, prefix + name), value]),
      );
    const { progress } = sent;
    return rename(
      isObject(progress) ? { ...sent, progress: rename(progress, 'progress.') } : sent,
      '',
    );
  }

  /** Returns the value to try next; `undefined` after the last one. */
  #toValue(field: FieldName, salt = 0): unknown {
    const choice = this.#choices.get(field) ?? 0;
    return this.#toChoices(field, salt)[choice];
  }

  #toText(field: string, salt: number): string {
    return `${field} ${this.run}${salt > 0 ? ` ${salt}` : ''} é e\u0301 漢 🙂`;
  }

  /** Values that nothing else has, the best one first. A `salt` makes other values. */
  #toChoices(field: FieldName, salt: number): readonly unknown[] {
    const { projectId, status } = this.options;
    switch (field) {
      case 'description':
        return [salt > 0 ? `${this.marker} (${salt})` : this.marker];
      case 'projectId':
        return [salt > 0 ? randomUUID() : projectId];
      case 'createdAt':
        return [`2001-02-03T04:05:0${salt}.1234567+02:00`, `2001-02-03T02:05:0${salt}.000Z`];
      case 'bookmarked':
        return [true];
      case 'language':
        return [`x-probe-${this.run}${salt > 0 ? salt : ''}`, 'en'];
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
