import { randomUUID } from 'node:crypto';
import type { Contract } from 'study-gateway-contract';
import { isSuccess, Stopped, type Asker, type Exchange, type Question } from './ask.js';
import {
  isObject,
  toApiName,
  toPlaces,
  type FieldName,
  type JsonObject,
  type Names,
} from './fields.js';
import type { Journal } from './journal.js';
import { findStudy, learnNames, readStudy, type Sent } from './learn.js';

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
  /** Fields that a create refused: for their name, or for a value that was tried. */
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

/** Ids that cannot change a path: percent-encoding does not change dots, and servers decode the other signs. */
const PATH_ID = /^(?!\.{1,2}$)[^/\\?#%\p{Cc}]+$/u;

/** Sends creates and edits, each after a line in the journal. */
export class WriteSender {
  readonly run = randomUUID().slice(0, 8);
  /** Text by which a person can find the studies of this run. */
  readonly marker = `study-gateway-probe ${this.run}: made to test this API, may be deleted`;
  readonly written: Written;
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

  isMade(exchange: Exchange): boolean {
    return isSuccess(exchange) && this.readId(exchange) !== undefined;
  }

  learn({ json }: Exchange, sent: Sent) {
    return this.#learnFrom(
      readStudy(json, findStudy(json, this.options.contract.answer, sent)),
      sent,
    );
  }

  #learnFrom(study: JsonObject, sent: Sent) {
    return { study, learned: learnNames({ studies: [study], sent }, this.options.contract.answer) };
  }

  readId(exchange: Exchange): string | undefined {
    const { study, learned } = this.learn(exchange, this.written.sent.get(exchange.number) ?? {});
    const id = study[learned.names.get('id') ?? learned.open.get('id')?.[0] ?? 'id'];
    return (typeof id === 'string' && id.isWellFormed() && PATH_ID.test(id)) ||
      typeof id === 'number'
      ? String(id)
      : undefined;
  }

  post(
    step: string,
    sent: Sent,
    more: Partial<Question> = {},
    variants: JsonObject = {},
  ): Promise<Exchange> {
    const { createStudy } = this.options.contract.operations;
    const path = createStudy ? createStudy.path : '/studies';
    return this.#send({ step, method: 'POST', path, shown: path, ...more }, sent, variants);
  }

  patch(
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
    const id = isSuccess(exchange) ? this.readId(exchange) : undefined;
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
}
