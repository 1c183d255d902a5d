import {
  foldName,
  isObject,
  translate,
  type Contract,
  type JsonObject,
  type ListArguments,
} from 'study-gateway-contract';
import { isSuccess, type Asked, type Asker, type Exchange } from './ask.js';
import { readAt, toPlaces, UUID } from './fields.js';
import { findStudy, learnNames, readStudy } from './learn.js';

/** A UUID that no study or project is expected to have. */
export const UNKNOWN_ID = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
export const WRONG_TOKEN = 'study-gateway-probe-wrong-token';
/** Maximum number of studies that one run reads by id. */
export const MAX_STUDIES = 10;
/** Maximum number of studies of one page that are looked at. */
const MAX_ITEMS = 100;

export type List = Exclude<Contract['operations']['studies'], false>;

/** One page of studies. */
export interface Page {
  readonly exchange: Exchange;
  /** Number of all items. */
  readonly count: number;
  readonly items: readonly unknown[];
  /** Items that are objects. */
  readonly studies: readonly JsonObject[];
  readonly ids: readonly unknown[];
  /** Number of all studies by the answer's own words. */
  readonly total: unknown;
}

/** Names that the list's numbers have. */
const numberNames: Readonly<Record<string, readonly string[]>> = {
  page: ['page', 'number', 'currentpage', 'pagenumber'],
  size: ['size', 'pagesize', 'perpage', 'limit'],
  total: ['total', 'totalcount', 'totalelements', 'totalitems', 'count'],
  pages: ['pages', 'totalpages', 'pagecount'],
};

/** Returns the place of a number of a page by its name; `undefined` if there is none. */
export function findNumber(body: unknown, number: string): string | undefined {
  return toPlaces(body).find(
    ([pointer, value]) =>
      typeof value === 'number' &&
      numberNames[number]?.includes(foldName(pointer.slice(pointer.lastIndexOf('/')))),
  )?.[0];
}

/** Returns true for an id that the gateway can ask for. Any other text could also change a path. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Asks what reading can tell, with GET alone. What it has seen stays even if the API stops the run. */
export class Reader {
  /** Place of the study in the answer to one study. */
  at: string | undefined;
  /** Place of the studies in the answer to a list; an empty text for an array. */
  items: string | undefined;
  readonly pages = new Map<string, Page>();
  #names: ReadonlyMap<string, string> = new Map();

  constructor(
    readonly asker: Asker,
    readonly contract: Contract,
  ) {}

  /** @param studyIds studies to read. Default: those that the list shows */
  async read(studyIds: readonly string[]): Promise<void> {
    const { contract, asker } = this;
    const { study, studies } = contract.operations;
    if (studies) await this.#readList(studies);
    const listed = this.pages.get('list')?.ids.filter(isId).slice(0, MAX_STUDIES) ?? [];
    if (study) {
      const toPath = (id: string): string => study.path.replace(/\{\w+\}/, () => id);
      for (const id of studyIds.length > 0 ? studyIds : listed) {
        const exchange = await this.#ask('read', toPath(id), toPath('$STUDY_ID'));
        if (isSuccess(exchange)) this.at ??= findStudy(exchange.json, contract.answer);
      }
      for (const [step, id] of [
        ['read.unknown', UNKNOWN_ID],
        ['read.bad-id', 'not-a-uuid'],
      ] as const)
        await this.#ask(step, toPath(id), toPath(id), { provokes: true });
    }
    const open = asker.exchanges.findLast(
      (one) => isSuccess(one) && one.method === 'GET' && one.step !== 'read.unknown',
    );
    if (!open) return;
    const { path, shown } = open;
    await this.#ask('auth.none', path, shown, { token: null, provokes: true });
    await this.#ask('auth.wrong', path, shown, { token: WRONG_TOKEN, provokes: true });
  }

  /** Returns the studies of the successful reads, or of the list if no study was read. */
  get studies(): { exchange: Exchange; study: JsonObject }[] {
    const reads = this.asker.exchanges.filter(
      (one) => one.step === 'read' && isSuccess(one) && isObject(readAt(one.json, this.at)),
    );
    const list = this.pages.get('list');
    return reads.length > 0 || !list
      ? reads.map((exchange) => ({ exchange, study: readStudy(exchange.json, this.at) }))
      : list.studies.map((study) => ({ exchange: list.exchange, study }));
  }

  #ask(step: string, path: string, shown: string, more: Partial<Asked> = {}): Promise<Exchange> {
    return this.asker.ask({ step, method: 'GET', path, shown, ...more });
  }

  async #readList({ absent, firstPage, projects }: List): Promise<void> {
    const list = await this.#page('list');
    if (!list) return;
    const isFirst = ({ ids }: Page): boolean => ids.length > 0 && ids[0] === list.ids[0];
    if (!absent.includes('size') && !absent.includes('page')) {
      const first = await this.#page('list.first', { page: 1, size: 1 });
      await this.#page('list.second', { page: 2, size: 1 });
      if (list.ids.length > 0 && !(first && isFirst(first))) {
        const other = { firstPage: firstPage === 1 ? 0 : 1 } as const;
        await this.#page('list.other', { page: 1, size: 1 }, other);
      }
    }
    const name = this.#names.get('projectId') ?? 'projectId';
    const id = list.studies.map((one) => one[name]).find(isId);
    if (id === undefined || absent.includes('projectId')) return;
    await this.#page('list.stranger', { projectId: [UNKNOWN_ID] });
    const alone = await this.#page('list.project', { projectId: [id] });
    const both = [UNKNOWN_ID, id];
    const pages = [
      await this.#page('list.projects', { projectId: both }),
      await this.#page('list.projects-last', { projectId: both.toReversed() }),
    ];
    if (projects !== 'repeated' && pages.some((page) => page?.count !== alone?.count))
      await this.#page('list.repeated', { projectId: both }, { projects: 'repeated' });
  }

  /** Asks for a page, in a form that may differ from the contract's. */
  async #page(
    step: string,
    args: ListArguments = {},
    change: Partial<List> = {},
  ): Promise<Page | undefined> {
    const { contract } = this;
    const studies: List = { ...toList(contract), ...change };
    const operations = { ...contract.operations, studies };
    const query = translate({ ...contract, operations })
      .toQuery(args)
      .join('&');
    const path = studies.path + (query === '' ? '' : `?${query}`);
    const known = args.projectId?.find((id) => id !== UNKNOWN_ID);
    const shown = known === undefined ? path : path.replaceAll(known, '$PROJECT_ID');
    const provokes = !/^list(?:\.first)?$/.test(step);
    const exchange = await this.#ask(step, path, shown, { provokes });
    if (!isSuccess(exchange)) return undefined;
    const { json } = exchange;
    this.items ??= findItems(json, studies.items);
    const found = Array.isArray(json) ? json : readAt(json, this.items ?? '/items');
    if (!Array.isArray(found)) return undefined;
    const items = found.slice(0, MAX_ITEMS);
    const own = items.filter(isObject);
    if (step === 'list') this.#names = learnNames(contract.answer, own).names;
    const page = {
      exchange,
      count: found.length,
      items,
      studies: own,
      ids: own.map((one) => one[this.#names.get('id') ?? 'id']),
      total: readAt(json, findNumber(json, 'total') ?? '/total'),
    };
    this.pages.set(step, page);
    return page;
  }
}

export function toList({ operations }: Contract): List {
  if (operations.studies) return operations.studies;
  throw new Error('The contract has no list.');
}

/** Returns where the studies of a list are: at the known place, or in the only array. */
function findItems(body: unknown, known: string): string | undefined {
  if (Array.isArray(body)) return '';
  if (Array.isArray(readAt(body, known))) return known;
  return toPlaces(body).find(([, value]) => Array.isArray(value))?.[0];
}
