import { randomUUID } from 'node:crypto';
import {
  isObject,
  toApiName,
  type Contract,
  type FieldName,
  type JsonObject,
  type Names,
} from 'study-gateway-contract';
import { isSuccess, Stopped, type Asked, type Asker, type Exchange } from './ask.js';
import { toPlaces } from './fields.js';
import type { Journal } from './journal.js';
import { findStudy, learnNames, readStudy } from './learn.js';

export interface WriteOptions {
  readonly contract: Contract;
  readonly journal: Journal;
  readonly projectId: string;
  /** Status to send. Default: none, because a change of state may start paid interviews. */
  readonly status: string | undefined;
}

/** Facts from the refusals of one operation. */
interface Demands {
  readonly required: Set<FieldName>;
  /** Fields that are refused: for their name, or for a value that was tried. */
  readonly refused: Map<FieldName, 'name' | 'value'>;
}

/** Facts from writing, besides the exchanges. */
export interface Written {
  readonly createStudy: Demands;
  readonly editStudy: Demands;
  /** Names in requests whose value came back in an answer. */
  readonly settled: Map<FieldName, string>;
  /** Names with which the API took creates. */
  names: Names;
  /** Create with all fields that the API takes. */
  whole?: Exchange;
}

/** Ids that cannot change a path: percent-encoding does not change dots, and servers decode the other signs. */
const PATH_ID = /^(?!\.{1,2}$)[^/\\?#%\p{Cc}]+$/u;

export function toBody(sent: JsonObject, names: Names, prefix = ''): JsonObject {
  const members = Object.entries(sent).map(([name, value]) => [
    toApiName(names, prefix + name),
    name === 'progress' && isObject(value) ? toBody(value, names, 'progress.') : value,
  ]);
  return Object.fromEntries(members);
}

/** Sends creates and edits, each after a line in the journal. */
export class WriteSender {
  readonly run = randomUUID().slice(0, 8);
  /** Text by which a person can find the studies of this run. Its signs show whether the API escapes texts. */
  readonly marker = `study-gateway-probe ${this.run}: made to test this API, may be deleted <&>`;
  readonly written: Written;

  constructor(
    readonly asker: Asker,
    readonly options: WriteOptions,
  ) {
    this.written = {
      createStudy: { required: new Set(), refused: new Map() },
      editStudy: { required: new Set(), refused: new Map() },
      settled: new Map(),
      names: options.contract.request,
    };
  }

  learn({ json, sent = {} }: Exchange) {
    const { answer } = this.options.contract;
    const study = readStudy(json, findStudy(json, answer, sent));
    return { study, learned: learnNames(answer, [study], sent) };
  }

  /** @param id of the study to edit; `undefined` for a create */
  async send(
    step: string,
    id: string | undefined,
    sent: JsonObject,
    more: Partial<Asked> = {},
  ): Promise<Exchange> {
    const { asker, run, marker, options, written } = this;
    const { journal, contract } = options;
    const { createStudy, editStudy } = contract.operations;
    const template = id === undefined ? createStudy : editStudy;
    const toPath = (text = ''): string =>
      (template ? template.path : '').replace(/\{\w+\}/, () => text);
    const own = asker.exchanges.some(({ made }) => made === id);
    const number = asker.exchanges.length + 1;
    const { origin, pathname } = asker.api.baseUrl;
    const method = id === undefined ? 'POST' : 'PATCH';
    journal.write({ run, number, api: origin + pathname, marker, request: method });
    const asked = {
      step,
      method,
      path: toPath(id && encodeURIComponent(id)),
      shown: toPath(own ? '$STUDY_ID' : id),
      sent,
      ...more,
      body: { ...toBody(sent, written.names), ...more.body },
    } as const;
    const stopped = await asker.ask(asked).catch((error: unknown) => {
      if (error instanceof Stopped) return error;
      throw error;
    });
    const exchange = asker.exchanges[number - 1]!;
    const made = this.#toMade(exchange);
    if (made.made) exchange.made = made.made;
    journal.write({ run, number, status: exchange.status ?? 0, ...made });
    if (!(stopped instanceof Stopped)) return exchange;
    if (made.made === null) await this.#search(number).catch(() => {});
    throw stopped;
  }

  /** Returns the id of the study that a request has made, or `null` if nobody knows. */
  #toMade(exchange: Exchange): { made?: string | null } {
    const { method, status = 0 } = exchange;
    if (method !== 'POST') return {};
    // Proxies send these of their own, after they have passed a request on.
    if (status >= 400 && status < 500 && ![408, 460, 499].includes(status)) return {};
    if (!isSuccess(exchange)) return { made: null };
    const { study, learned } = this.learn(exchange);
    const id = study[learned.names.get('id') ?? learned.open.get('id')?.[0] ?? 'id'];
    const isOfPath = typeof id === 'string' && id.isWellFormed() && PATH_ID.test(id);
    return { made: isOfPath || typeof id === 'number' ? String(id) : null };
  }

  /** Looks for the study of a create without an answer. A create is never sent again. */
  async #search(number: number): Promise<void> {
    const { studies } = this.options.contract.operations;
    if (!studies) return;
    const { path } = studies;
    const { json } = await this.asker.ask({
      step: 'create.search',
      method: 'GET',
      path,
      shown: path,
    });
    const marked = toPlaces(json)
      .flatMap(([, value]) => (Array.isArray(value) ? value : []))
      .filter(isObject)
      .find((study) => Object.values(study).some((text) => String(text).includes(this.run)));
    if (!marked) return;
    const { names } = learnNames(this.options.contract.answer, [marked]);
    const id = marked[names.get('id') ?? 'id'];
    if (typeof id === 'string') this.options.journal.write({ run: this.run, number, made: id });
  }
}
