import { translate, type Contract } from 'study-gateway-contract';
import { isSuccess, type Asker, type Exchange } from './ask.js';
import { fold, isObject, readAt, toPlaces, UUID, type JsonObject } from './fields.js';
import { findStudy, learnNames, readStudy, type Learned } from './learn.js';

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
  readonly items: readonly unknown[];
  /** Items that are objects. */
  readonly studies: readonly JsonObject[];
  readonly ids: readonly unknown[];
  /** Number of all studies by the answer's own words. */
  readonly total: unknown;
}

/** What reading has shown. */
export interface Reading {
  /** Place of the study in the answer to one study. */
  at: string | undefined;
  /** Place of the studies in the answer to a list; an empty text for an array. */
  items: string | undefined;
  learned: Learned;
  pages: Map<string, Page>;
}

export interface ReadOptions {
  readonly contract: Contract;
  /** Studies to read. Default: those that the list shows. */
  readonly studyIds: readonly string[];
}

/** Places of the list's numbers have many names. */
const numberNames: Readonly<Record<string, readonly string[]>> = {
  page: ['page', 'number', 'currentpage', 'pagenumber'],
  size: ['size', 'pagesize', 'perpage', 'limit'],
  total: ['total', 'totalcount', 'totalelements', 'totalitems', 'count'],
  pages: ['pages', 'totalpages', 'pagecount'],
};

/** Returns the place of a number of a page by its name; `undefined` if there is none. */
export function findNumber(body: unknown, number: string): string | undefined {
  const isNumber = ([pointer, value]: readonly [string, unknown]): boolean =>
    typeof value === 'number' &&
    numberNames[number]!.includes(fold(pointer.slice(pointer.lastIndexOf('/'))));
  return toPlaces(body).find(isNumber)?.[0];
}

/** Asks what reading can tell, with GET alone. The results are in `reading` even if the API stops the run. */
export async function read(
  asker: Asker,
  { contract, studyIds }: ReadOptions,
  reading: Reading,
): Promise<void> {
  const { study, studies } = contract.operations;
  const ask = (
    step: string,
    path: string,
    shown = path,
    more: Partial<Exchange> = {},
  ): Promise<Exchange> => asker.ask({ step, method: 'GET', path, shown, ...more });
  let project: unknown;
  let known: readonly string[] = studyIds;
  if (studies) {
    const page = await readList(asker, contract, reading);
    project = page?.studies.map((one) => one[toName(reading, 'projectId')]).find(isId);
    if (studyIds.length === 0) known = page?.ids.filter(isId).slice(0, MAX_STUDIES) ?? [];
    if (page && typeof project === 'string' && !studies.absent.includes('projectId'))
      await readProjects(asker, contract, reading, project);
  }
  if (study) {
    const toPath = (id: string): string =>
      study.path.replace(/\{\w+\}/, () => encodeURIComponent(id));
    const shown = study.path.replace(/\{\w+\}/, '$STUDY_ID');
    for (const id of known) {
      const exchange = await ask('read', toPath(id), shown);
      if (isSuccess(exchange)) reading.at ??= findStudy(exchange.json, contract.answer);
    }
    await ask('read.unknown', toPath(UNKNOWN_ID), undefined, { provokes: true });
    await ask('read.bad-id', toPath('not-a-uuid'), undefined, { provokes: true });
  }
  const open = asker.exchanges.findLast(
    (one) => isSuccess(one) && one.method === 'GET' && one.step !== 'read.unknown',
  );
  if (!open) return;
  for (const [step, token] of [
    ['auth.none', null],
    ['auth.wrong', WRONG_TOKEN],
  ] as const)
    await ask(step, open.path, open.shown, { token, provokes: true });
}

/** Returns true for an id that the gateway can ask for. Any other text could also change a path. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

function toName({ learned }: Reading, field: string): string {
  return learned.names.get(field) ?? field;
}

/** Asks for the list and for single pages. Returns the list without parameters. */
async function readList(
  asker: Asker,
  contract: Contract,
  reading: Reading,
): Promise<Page | undefined> {
  const exchange = await askList(asker, contract, 'list');
  if (!isSuccess(exchange)) return undefined;
  const form = toList(contract);
  reading.items = findItems(exchange.json, form.items);
  const shown = toPage(exchange, reading);
  if (!shown) return undefined;
  reading.learned = learnNames({ studies: shown.studies }, contract.answer);
  const list = keep(reading, 'list', exchange);
  if (form.absent.includes('size') || form.absent.includes('page')) return list;
  const first = keep(
    reading,
    'list.first',
    await askList(asker, contract, 'list.first', { page: 1, size: 1 }),
  );
  keep(
    reading,
    'list.second',
    await askList(asker, contract, 'list.second', { page: 2, size: 1 }, true),
  );
  if (
    !list ||
    list.ids.length === 0 ||
    (first && first.ids.length > 0 && first.ids[0] === list.ids[0])
  )
    return list;
  const studies: List = { ...form, firstPage: form.firstPage === 1 ? 0 : 1 };
  const operations = { ...contract.operations, studies };
  const other = { ...contract, operations };
  keep(
    reading,
    'list.other',
    await askList(asker, other, 'list.other', { page: 1, size: 1 }, true),
  );
  return list;
}

async function readProjects(
  asker: Asker,
  contract: Contract,
  reading: Reading,
  id: string,
): Promise<void> {
  const ask = async (step: string, projectId: readonly string[], form = contract) =>
    keep(reading, step, await askList(asker, form, step, { projectId }, true));
  await ask('list.stranger', [UNKNOWN_ID]);
  const alone = await ask('list.project', [id]);
  const pages = [
    await ask('list.projects', [UNKNOWN_ID, id]),
    await ask('list.projects-last', [id, UNKNOWN_ID]),
  ];
  const areWhole = pages.every((page) => page && page.ids.length === alone?.ids.length);
  if (areWhole || toList(contract).projects === 'repeated') return;
  const studies: List = { ...toList(contract), projects: 'repeated' };
  const operations = { ...contract.operations, studies };
  await ask('list.repeated', [UNKNOWN_ID, id], { ...contract, operations });
}

export function toList({ operations }: Contract): List {
  if (operations.studies) return operations.studies;
  throw new Error('The contract has no list.');
}

type Arguments = Parameters<ReturnType<typeof translate>['toQuery']>[0];

function askList(
  asker: Asker,
  contract: Contract,
  step: string,
  args: Arguments = {},
  provokes = false,
): Promise<Exchange> {
  const { path } = toList(contract);
  const query = translate(contract).toQuery(args).join('&');
  const whole = query === '' ? path : `${path}?${query}`;
  const known = args.projectId?.find((id) => id !== UNKNOWN_ID);
  const shown = known === undefined ? whole : whole.replaceAll(known, '$PROJECT_ID');
  return asker.ask({ step, method: 'GET', path: whole, shown, provokes });
}

/** Returns where the studies of a list are: at the known place, or in the only array. */
function findItems(body: unknown, known: string): string | undefined {
  if (Array.isArray(body)) return '';
  if (Array.isArray(readAt(body, known))) return known;
  return toPlaces(body).find(([, value]) => Array.isArray(value))?.[0];
}

function keep(reading: Reading, step: string, exchange: Exchange): Page | undefined {
  const page = isSuccess(exchange) ? toPage(exchange, reading) : undefined;
  if (page) reading.pages.set(step, page);
  return page;
}

function toPage(exchange: Exchange, { items: at, learned }: Reading): Page | undefined {
  const found = Array.isArray(exchange.json)
    ? exchange.json
    : readAt(exchange.json, at ?? '/items');
  if (!Array.isArray(found)) return undefined;
  const items = found.slice(0, MAX_ITEMS);
  const studies = items.filter(isObject);
  const ids = studies.map((one) => one[learned.names.get('id') ?? 'id']);
  return {
    exchange,
    items,
    studies,
    ids,
    total: readAt(exchange.json, findNumber(exchange.json, 'total') ?? '/total'),
  };
}

/** Returns the studies of the successful reads, or of the list if no study was read. */
export function toStudies(
  exchanges: readonly Exchange[],
  { at, pages }: Reading,
): { exchange: Exchange; study: JsonObject }[] {
  const reads = exchanges.filter(
    (one) => one.step === 'read' && isSuccess(one) && isObject(readAt(one.json, at)),
  );
  const list = pages.get('list');
  return reads.length > 0 || !list
    ? reads.map((exchange) => ({ exchange, study: readStudy(exchange.json, at) }))
    : list.studies.map((study) => ({ exchange: list.exchange, study }));
}
