import { randomUUID } from 'node:crypto';
import {
  requestNames,
  toApiName,
  type FieldName,
  type JsonObject,
  type Names,
  type Naming,
} from 'study-gateway-contract';
import { isSuccess, type Asked, type Asker, type Exchange } from './ask.js';
import { namingRules, strategies } from './fields.js';
import { isValue, toNames, toText } from './learn.js';
import { UNKNOWN_ID, WRONG_TOKEN } from './read.js';
import { readMentions, type Mention } from './refusal.js';
import { toBody, WriteSender, type WriteOptions, type Written } from './send-write.js';
import { Values } from './values.js';

/** Requests, in the order in which they are sent. */
export const plan = [
  'PATCH an unknown id {description: null}; with a wrong token; the id "not-a-uuid"',
  'POST {projectId: "x"}, {bookmarked: {}}',
  'POST {description, projectId}; again with what it demands (4 times at most)',
  'POST all fields, each with a value of its own; again without what is refused (5 times at most)',
  'POST the names that are not certain, in each manner; all fields under the names that came back',
  'POST the last body again, with its idempotency key',
  'PATCH {bookmarked: false}; again with what it demands (3 times at most)',
  'PATCH all fields; again without what is refused (3 times at most)',
  'PATCH {description: null}, then {audiences: [], files: [], interviews: [], knowledgeGraphs: []}',
  'PATCH {progress: {total: 9}}, {studyGatewayProbe}',
  'PATCH {strategy}: the six, and another text',
  'PATCH {status}, only with --status',
  'PATCH {description}: the marker again, as the last request',
];

/** Fields of which a value is refused most often. */
const suspects: readonly FieldName[] = ['knowledgeGraphs', 'language', 'createdAt', 'strategy'];

/** Creates and edits studies of its own, and of nobody else. */
export class Writer {
  readonly written: Written;
  readonly #sender: WriteSender;
  readonly #values: Values;

  constructor(
    readonly asker: Asker,
    readonly options: WriteOptions,
  ) {
    this.#sender = new WriteSender(asker, options);
    this.#values = new Values({ ...options, run: this.#sender.run, marker: this.#sender.marker });
    this.written = this.#sender.written;
  }

  /** Asks everything that writing can tell: refusals first, then creates, then edits. */
  async write(): Promise<void> {
    const { createStudy, editStudy } = this.options.contract.operations;
    const { marker: description } = this.#sender;
    const refuse = (step: string, id?: string, sent = {}, more: Partial<Asked> = {}) =>
      this.#sender.send(step, id, sent, { provokes: true, ...more });
    if (editStudy) {
      const flag = { bookmarked: true };
      await refuse('refuse.unknown', UNKNOWN_ID, { description: null });
      await refuse('refuse.token', UNKNOWN_ID, flag, { token: WRONG_TOKEN });
      await refuse('refuse.id', 'not-a-uuid', flag);
    }
    if (!createStudy) return;
    const first = await refuse('refuse.project', undefined, { description, projectId: 'x' });
    // Such an answer shows no study, so each create could leave one behind.
    if (first.fault !== undefined && (first.status ?? 0) < 400) return;
    // Without the project: the refusal may say that it is missing too.
    const second = await refuse('refuse.flag', undefined, { description, bookmarked: {} });
    if (second.status === 404 || second.status === 405) return;
    for (const { field, means } of readMentions(second.json, this.written.names))
      if (means === 'missing' && field === 'projectId')
        this.written.createStudy.required.add(field);
    await this.#create();
    const { whole } = this.written;
    if (!whole?.made) return;
    await this.#readBack('back.created', whole.made);
    if (editStudy) await this.#edit(whole.made, whole);
  }

  async #create(): Promise<void> {
    const { written, options } = this;
    const { absent } = options.contract.request;
    const wanted = requestNames.createStudy.filter((field) => !absent.createStudy.includes(field));
    const key = randomUUID();
    const smallest = await this.#attempt(
      'create.smallest',
      undefined,
      this.#toValues(['description', 'projectId']),
      4,
    );
    const whole = await this.#attempt('create.whole', undefined, this.#toValues(wanted), 5, key);
    const made = [whole, smallest].find((one) => one?.made !== undefined);
    if (!made) return;
    written.whole = made;
    if (made !== whole) return;
    await this.#settleNames(whole);
    // A create is repeated after it was sent under the names that are certain now.
    const { sent = {} } = whole;
    const names = toNames(written.settled, written.names.naming);
    const isSame = toText(toBody(sent, names)) === toText(toBody(sent, written.names));
    const more = { key: isSame ? key : randomUUID() };
    written.names = names;
    if (!isSame) written.whole = await this.#sender.send('create.renamed', undefined, sent, more);
    if (written.whole.made === undefined) written.whole = whole;
    else await this.#sender.send('create.again', undefined, sent, more);
  }

  #toValues(fields: readonly FieldName[], salt = 0): JsonObject {
    return Object.fromEntries(fields.map((field) => [field, this.#values.toValue(field, salt)]));
  }

  /** Sends a write until the API takes it, changed by what each refusal says. Nothing is sent if no field is left. */
  async #attempt(
    step: string,
    id: string | undefined,
    wanted: JsonObject,
    times = 1,
    key?: string,
  ): Promise<Exchange | undefined> {
    const { required, refused } = this.written[id === undefined ? 'createStudy' : 'editStudy'];
    const names = new Map<string, string>(refused);
    const taken = Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && names.get(name) !== 'name',
    );
    let exchange: Exchange | undefined;
    const sent: Record<string, unknown> = {
      ...this.#toValues([...required]),
      ...Object.fromEntries(taken),
    };
    // One write is kept for the marker.
    for (let left = times; left > 0 && this.asker.writesLeft > 1 && taken.length > 0; left -= 1) {
      exchange = await this.#sender.send(step, id, { ...sent }, key === undefined ? {} : { key });
      const { status = 0 } = exchange;
      if (status < 400 || status >= 500 || left === 1 || !this.#adapt(exchange, sent)) break;
    }
    return exchange;
  }

  /** Changes what the next write sends. Returns false if the refusal says nothing that helps. */
  #adapt({ json, method }: Exchange, sent: Record<string, unknown>): boolean {
    const { written } = this;
    const operation = method === 'POST' ? 'createStudy' : 'editStudy';
    const { required, refused } = written[operation];
    const mentions = readMentions(json, written.names);
    if (method === 'POST' && this.#tryOtherNaming(mentions, Object.keys(sent))) return true;
    // An opaque refusal: other values for what is refused most often, and then without it.
    const likely = suspects.map((field) => ({ field, means: 'value' }));
    const found = (mentions.length > 0 ? mentions : likely).filter(
      ({ field, means }) =>
        field in sent || (means === 'missing' && requestNames[operation].includes(field)),
    );
    for (const { field, means } of found) {
      const isNew = !(field in sent);
      const hasMore = isNew || this.#values.avoid(field);
      if (isNew) required.add(field);
      // The refusal of a name stays with another value.
      else refused.set(field, hasMore || means !== 'name' ? 'value' : 'name');
      if (hasMore) sent[field] = this.#values.toValue(field);
      else delete sent[field];
    }
    return found.length > 0 && Object.keys(sent).length > 0;
  }

  /** Takes the naming of a refusal, or the next one after a refusal of all long names. */
  #tryOtherNaming(mentions: readonly Mention[], sent: readonly string[]): boolean {
    const { request, answer } = this.options.contract;
    const isLong = (field: string): boolean => /[A-Z]/.test(field);
    const strange = mentions.filter(({ field, means }) => means === 'name' && isLong(field));
    const areAll = strange.length > 0 && strange.length === sent.filter(isLong).length;
    const rules: Naming[] = [...new Set([request.naming, answer.naming, ...namingRules])];
    const next = areAll ? rules[rules.indexOf(this.written.names.naming) + 1] : undefined;
    const naming = mentions.find((mention) => mention.naming !== undefined)?.naming ?? next;
    if (naming !== undefined) this.written.names = { naming, names: {} };
    return naming !== undefined;
  }

  /**
   * Sends the fields whose value did not come back under each name that they may have, each time with another value: the
   * value that comes back settles the name.
   */
  async #settleNames(whole: Exchange): Promise<void> {
    const { names, settled } = this.written;
    const { sent = {} } = whole;
    const { study, learned } = this.#sender.learn(whole);
    for (const field of learned.byValue) settled.set(field, toApiName(names, field));
    const open = requestNames.createStudy.filter(
      (field) => field !== 'bookmarked' && sent[field] !== undefined && !learned.byValue.has(field),
    );
    if (open.length === 0 || Object.keys(study).length === 0) return;
    const tried = open.flatMap((field) => {
      const own = learned.names.get(field) ?? field;
      const rules: Names[] = [
        { naming: 'camelCase', names: { [field]: own } },
        ...namingRules.map((naming) => ({ naming, names: {} })),
      ];
      const byName = new Map(rules.map((rule) => [toApiName(rule, field), rule]));
      return [...byName].map(([name, rule], salt) => {
        const value = this.#values.toValue(field, salt + 1);
        return { field, name, own, value, body: toBody({ [field]: value }, rule) };
      });
    });
    const isOpen = (field: string): boolean => open.some((one) => one === field);
    const certain = Object.entries(sent).filter(([field]) => !isOpen(field));
    const body: JsonObject = Object.assign({}, ...tried.map((one) => one.body));
    const more = { provokes: true, body };
    const exchange = await this.#sender.send(
      'create.names',
      undefined,
      Object.fromEntries(certain),
      more,
    );
    const shown = this.#sender.learn(exchange).study;
    for (const { field, name, own, value } of tried)
      if (isValue(field, value, shown[own])) settled.set(field, name);
  }

  async #edit(id: string, whole: Exchange): Promise<void> {
    const { status, projectId, contract } = this.options;
    const { marker, run } = this.#sender;
    for (const field of contract.request.absent.editStudy)
      this.written.editStudy.refused.set(field, 'name');
    const edited = requestNames.editStudy.filter(
      (field) => !/^(?:bookmarked|status|strategy)$/.test(field),
    );
    const others = strategies.filter((one) => one !== whole.sent?.['strategy']);
    const edits: readonly (readonly [step: string, sent: JsonObject, times?: number])[] = [
      ['edit.flag', { bookmarked: false }, 3],
      ['edit.whole', { ...this.#toValues(edited, 7), projectId }, 3],
      ['edit.null', { description: null }],
      ['edit.empty', { audiences: [], files: [], interviews: [], knowledgeGraphs: [] }],
      ['edit.progress', { progress: { total: 9 } }],
      ['edit.unknown', { studyGatewayProbe: marker }],
      ...others.map((strategy) => [`edit.strategy.${strategy}`, { strategy }] as const),
      ['edit.strategy.other', { strategy: `probe ${run}` }],
      ['edit.status', { status }],
    ];
    for (const [step, sent, times] of edits) {
      const exchange = await this.#attempt(step, id, sent, times);
      // Without it, no refusal of another edit is one of its fields.
      const isNamed = this.written.editStudy.refused.get('bookmarked') === 'name';
      if (step === 'edit.flag' && exchange && !isSuccess(exchange) && !isNamed) return;
    }
    // Before the marker: it restores what an API shows that stores no edit.
    await this.#readBack('back.edited', id);
    const required = this.#toValues([...this.written.editStudy.required]);
    await this.#sender.send('edit.marker', id, { ...required, description: marker });
  }

  async #readBack(step: string, id: string): Promise<void> {
    const { study } = this.options.contract.operations;
    if (!study) return;
    const [path = '', shown = ''] = [encodeURIComponent(id), '$STUDY_ID'].map((text) =>
      study.path.replace(/\{\w+\}/, () => text),
    );
    await this.asker.ask({ step, method: 'GET', path, shown, provokes: true });
  }
}
