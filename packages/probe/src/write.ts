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
import { isValue, toNames } from './learn.js';
import { UNKNOWN_ID, WRONG_TOKEN } from './read.js';
import { readMentions } from './refusal.js';
import { toBody, WriteSender, type WriteOptions, type Written } from './send-write.js';
import { Values } from './values.js';

/** What is sent, in order. */
export const plan = [
  'PATCH an unknown id {bookmarked}, also with a wrong token; the id "not-a-uuid"',
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

interface Attempt {
  readonly step: string;
  /** Study to edit; `undefined` for a create. */
  readonly id?: string;
  readonly wanted: readonly FieldName[];
  readonly times: number;
  readonly key?: string;
  readonly toValue?: (field: FieldName) => unknown;
}

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
    const refuse = (step: string, id?: string, sent = {}, more: Partial<Asked> = {}) =>
      this.#sender.send(step, id, sent, { provokes: true, ...more });
    if (editStudy) {
      const flag = { bookmarked: true };
      await refuse('refuse.unknown', UNKNOWN_ID, flag);
      await refuse('refuse.token', UNKNOWN_ID, flag, { token: WRONG_TOKEN });
      await refuse('refuse.id', 'not-a-uuid', flag);
    }
    if (!createStudy) return;
    const { marker: description } = this.#sender;
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
    const { status, contract } = options;
    const wanted = requestNames.createStudy.filter(
      (field) =>
        !contract.request.absent.createStudy.includes(field) &&
        (field !== 'status' || status !== undefined),
    );
    const smallest = await this.#attempt({
      step: 'create.smallest',
      wanted: ['description', 'projectId'],
      times: 4,
    });
    const key = randomUUID();
    const whole = await this.#attempt({ step: 'create.whole', wanted, times: 5, key });
    const made = [whole, smallest].find((one) => one.made !== undefined);
    if (!made) return;
    written.whole = made;
    if (made !== whole) return;
    await this.#settleNames(whole);
    // A create is repeated after it was sent under the names that are certain now.
    const { sent = {} } = whole;
    const names = toNames(written.settled, written.names.naming);
    const isOther = Object.keys(sent).some(
      (field) => toApiName(names, field) !== toApiName(written.names, field),
    );
    written.names = names;
    const used = isOther ? randomUUID() : key;
    if (isOther) {
      const renamed = await this.#sender.send('create.renamed', undefined, sent, { key: used });
      if (renamed.made === undefined) return;
      written.whole = renamed;
    }
    await this.#sender.send('create.again', undefined, sent, { key: used });
  }

  /** Sends a write until the API takes it, changed by what each refusal says. */
  async #attempt({ step, id, wanted, times, key, toValue }: Attempt): Promise<Exchange> {
    const { required } = this.written[id === undefined ? 'createStudy' : 'editStudy'];
    const body = new Set([...wanted, ...required]);
    for (let left = times; ; left -= 1) {
      const sent = [...body].map((field) => [
        field,
        toValue?.(field) ?? this.#values.toValue(field),
      ]);
      const more = key === undefined ? {} : { key };
      const exchange = await this.#sender.send(step, id, Object.fromEntries(sent), more);
      const { status = 0 } = exchange;
      const isRefused = status >= 400 && status < 500;
      // One write is kept for the marker.
      const isLast = left === 1 || this.asker.writesLeft < 2;
      if (!isRefused || isLast || !this.#adapt(exchange, body)) return exchange;
    }
  }

  /** Changes what the next write sends. Returns false if the refusal says nothing that helps. */
  #adapt({ json, method }: Exchange, body: Set<FieldName>): boolean {
    const { written } = this;
    const { required, refused } = written[method === 'POST' ? 'createStudy' : 'editStudy'];
    const mentions = readMentions(json, written.names);
    if (method === 'POST') {
      const naming = mentions.find((mention) => mention.naming !== undefined)?.naming;
      if (naming !== undefined) {
        written.names = { naming, names: {} };
        return true;
      }
      const isLong = (field: FieldName): boolean => /[A-Z]/.test(field);
      const strange = mentions.filter(({ field, means }) => means === 'name' && isLong(field));
      const areAll = strange.length > 0 && strange.length === [...body].filter(isLong).length;
      if (areAll && this.#tryNextNaming()) return true;
    }
    // An opaque refusal: other values for what is refused most often, and then without it.
    const likely = suspects.filter((field) => body.has(field));
    const found =
      mentions.length > 0 ? mentions : likely.map((field) => ({ field, means: 'value' }));
    for (const { field, means } of found) {
      const isNew = !body.has(field);
      if (isNew && means !== 'missing') continue;
      if (isNew) {
        body.add(field);
        required.add(field);
        continue;
      }
      const hasMore = this.#values.avoid(field);
      // The refusal of a name stays with another value.
      refused.set(field, hasMore || means !== 'name' ? 'value' : 'name');
      if (!hasMore) body.delete(field);
    }
    return found.length > 0 && body.size > 0;
  }

  #tryNextNaming(): boolean {
    const { request, answer } = this.options.contract;
    const rules: Naming[] = [...new Set([request.naming, answer.naming, ...namingRules])];
    const naming = rules[rules.indexOf(this.written.names.naming) + 1];
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
    const { status } = this.options;
    const { marker, run } = this.#sender;
    const { required, refused } = this.written.editStudy;
    const absent: readonly string[] = this.options.contract.request.absent.editStudy;
    const isTaken = (field: string): boolean =>
      !absent.includes(field) &&
      ![...refused].some(([one, why]) => one === field && why === 'name');
    const attempt = (
      step: string,
      wanted: readonly string[],
      toValue: (field: FieldName) => unknown,
    ) =>
      this.#attempt({
        step,
        id,
        wanted: requestNames.editStudy.filter((field) => wanted.includes(field) && isTaken(field)),
        times: 3,
        toValue,
      });
    const flag = await attempt('edit.flag', ['bookmarked'], (field) =>
      field === 'bookmarked' ? false : undefined,
    );
    if (flag.status === 404 || flag.status === 405) return;
    const edited = requestNames.editStudy.filter(
      (field) => !/^(?:bookmarked|status|strategy)$/.test(field),
    );
    if (isSuccess(flag))
      await attempt('edit.whole', edited, (field) =>
        this.#values.toValue(field, field === 'projectId' ? 0 : 7),
      );
    const edits: readonly (readonly [step: string, sent: JsonObject])[] = [
      ['edit.null', { description: null }],
      ['edit.empty', { audiences: [], files: [], interviews: [], knowledgeGraphs: [] }],
      ['edit.progress', { progress: { total: 9 } }],
      ['edit.unknown', { studyGatewayProbe: marker }],
      ...strategies
        .filter((one) => one !== whole.sent?.['strategy'])
        .map((one) => [`edit.strategy.${one}`, { strategy: one }] as const),
      ['edit.strategy.other', { strategy: `probe ${run}` }],
      ...(status === undefined ? [] : [['edit.status', { status }] as const]),
    ];
    const demanded = Object.fromEntries(
      [...required].map((field) => [field, this.#values.toValue(field)]),
    );
    for (const [step, wanted] of edits) {
      const sent = Object.entries(wanted).filter(([field]) => isTaken(field));
      // One write is kept for the marker.
      if (sent.length > 0 && this.asker.writesLeft > 1)
        await this.#sender.send(step, id, { ...demanded, ...Object.fromEntries(sent) });
    }
    // Before the marker: it restores what an API shows that stores no edit.
    await this.#readBack('back.edited', id);
    await this.#sender.send('edit.marker', id, { ...demanded, description: marker });
  }

  async #readBack(step: string, id: string): Promise<void> {
    const { study } = this.options.contract.operations;
    if (!study) return;
    const toPath = (text: string): string => study.path.replace(/\{\w+\}/, () => text);
    const shown = toPath('$STUDY_ID');
    await this.asker.ask({
      step,
      method: 'GET',
      path: toPath(encodeURIComponent(id)),
      shown,
      provokes: true,
    });
  }
}
