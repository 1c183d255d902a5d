import { randomUUID } from 'node:crypto';
import { MAX_WRITES, type Asker, type Exchange } from './ask.js';
import {
  createFields,
  namingRules,
  strategies,
  toApiName,
  type FieldName,
  type JsonObject,
  type Naming,
} from './fields.js';
import { findStudy, isValue, readStudy, toNames } from './learn.js';
import { UNKNOWN_ID, WRONG_TOKEN } from './read.js';
import { readMentions } from './refusal.js';
import { WriteSender, type WriteOptions, type Written } from './send-write.js';
import { Values } from './values.js';

/** Creates and edits studies of its own, and of nobody else. */
export class Writer {
  readonly #sender: WriteSender;
  readonly #values: Values;

  constructor(
    readonly asker: Asker,
    readonly options: WriteOptions,
  ) {
    this.#sender = new WriteSender(asker, options);
    this.#values = new Values({ ...options, run: this.#sender.run, marker: this.#sender.marker });
  }

  get written(): Written {
    return this.#sender.written;
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
    await this.#sender.patch('refuse.unknown', UNKNOWN_ID, flag, { provokes: true });
    await this.#sender.patch('refuse.token', UNKNOWN_ID, flag, {
      provokes: true,
      token: WRONG_TOKEN,
    });
    await this.#sender.patch('refuse.id', 'not-a-uuid', flag, { provokes: true });
  }

  async #create(): Promise<void> {
    const { written } = this;
    const more = { provokes: true };
    const { marker: description } = this.#sender;
    const first = await this.#sender.post('refuse.project', { description, projectId: 'x' }, more);
    // Such an answer shows no study, so each create could leave one behind.
    if (first.fault !== undefined && first.status! < 400) return;
    // Without the project: the refusal may say that it is missing too.
    const { status, json } = await this.#sender.post(
      'refuse.flag',
      { description, bookmarked: {} },
      more,
    );
    if (status === 404 || status === 405) return;
    for (const { field, means } of readMentions(json, written.names))
      if (means === 'missing' && field === 'projectId') written.required.add(field);
    const smallest = await this.#attempt('create.smallest', ['description', 'projectId'], 4);
    if (this.#sender.isMade(smallest)) written.smallest = smallest.number;
    const { absent } = this.options.contract.request;
    const wanted = createFields.filter((field) => !absent.createStudy.includes(field));
    const isWanted = (field: FieldName): boolean =>
      field !== 'status' || this.options.status !== undefined;
    const key = randomUUID();
    const whole = await this.#attempt('create.whole', wanted.filter(isWanted), 5, key);
    const made = [whole, smallest].find((one) => this.#sender.isMade(one));
    if (!made) return;
    written.whole = made;
    const id = this.#sender.readId(made);
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
      const renamed = await this.#sender.post('create.renamed', sent, { key: used });
      if (!this.#sender.isMade(renamed)) return;
      written.whole = renamed;
      written.id = this.#sender.readId(renamed)!;
    }
    await this.#sender.post('create.again', sent, { key: used });
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
      const sent = Object.fromEntries(
        [...body].map((field) => [field, this.#values.toValue(field)]),
      );
      const exchange = await this.#sender.post(step, sent, key === undefined ? {} : { key });
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
    const hasMore = this.#values.avoid(field);
    // The refusal of a name stays with another value.
    this.written.refused.set(field, hasMore ? 'value' : reason);
    if (!hasMore) body.delete(field);
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
    const { study, learned } = this.#sender.learn(whole, sent);
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
        value: this.#values.toValue(field, salt + 1),
      }));
    });
    const certain = Object.fromEntries(
      Object.entries(sent).filter(([field]) => !open.some((one) => one === field)),
    );
    const variants = Object.fromEntries(tried.map(({ name, value }) => [name, value]));
    const exchange = await this.#sender.post('create.names', certain, { provokes: true }, variants);
    const shown = readStudy(
      exchange.json,
      findStudy(exchange.json, this.options.contract.answer, certain),
    );
    for (const { field, name, value } of tried)
      if (isValue(field, value, shown[learned.names.get(field)!])) written.settled.set(field, name);
  }

  async #edit(id: string): Promise<void> {
    const absent: readonly string[] = this.options.contract.request.absent.editStudy;
    const edit = async (step: string, wanted: JsonObject): Promise<Exchange | undefined> => {
      const sent = Object.entries(wanted).filter(([field]) => !absent.includes(field));
      // One write is kept for the marker.
      if (sent.length === 0 || this.asker.writes >= MAX_WRITES - 1) return undefined;
      return this.#sender.patch(step, id, Object.fromEntries(sent));
    };
    const { status = 0 } = (await edit('edit.flag', { bookmarked: false })) ?? {};
    if (status === 404 || status === 405) return;
    const { status: state } = this.options;
    await edit('edit.null', { description: null });
    await edit('edit.empty', { audiences: [], files: [], interviews: [], knowledgeGraphs: [] });
    await edit('edit.progress', { progress: { total: 9 } });
    await edit('edit.unknown', { studyGatewayProbe: this.#sender.marker });
    await edit('edit.date', { createdAt: '2003-02-01T10:20:30.123456Z' });
    const [first] = [this.written.sent.get(this.written.whole?.number ?? 0)?.strategy];
    for (const strategy of strategies.filter((one) => one !== first))
      await edit(`edit.strategy.${strategy}`, { strategy });
    await edit('edit.strategy.other', { strategy: `probe ${this.#sender.run}` });
    if (state !== undefined) await edit('edit.status', { status: state });
    // Before the marker: it restores what an API shows that stores no edit.
    await this.#readBack('back.edited');
    await this.#sender.patch('edit.marker', id, { description: this.#sender.marker });
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
}
