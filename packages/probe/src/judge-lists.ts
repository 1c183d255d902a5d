import { isObject, type JsonObject } from 'study-gateway-contract';
import { isSuccess, type Exchange } from './ask.js';
import {
  countFaults,
  differs,
  fails,
  isMissing,
  missing,
  NO_FILE,
  note,
  open,
  type Evidence,
  type Judges,
  type Verdict,
} from './evidence.js';
import { quote, readAt, toSafeName, toTypeName } from './fields.js';
import { findNumber, toList, type Page } from './read.js';

const base = '/operations/studies';

/** Returns a finding about a parameter that the API does not take by its known name: a person must name it. */
function toParameter(name: string, seen: string, exchange: Exchange): Verdict {
  const line = { at: `${base}/parameters/${name}`, value: '' };
  return differs(seen, [exchange], line, `Name it there, or put "${name}" into ${base}/absent.`);
}

function isRefusal({ status = 0 }: Exchange): boolean {
  return status >= 400 && status < 500 && ![403, 404, 429].includes(status);
}

function toOwn({ learned }: Evidence, field: string): (study: JsonObject) => unknown {
  return (study) => study[learned.names.get(field) ?? field];
}

/** Returns the studies that were read by id. */
function toReads({ reader }: Evidence) {
  return reader.studies.filter(({ exchange }) => exchange.step === 'read');
}

/** Says how a page is not what the list shows of one project; `undefined` if it is, or has more of the project. */
function findUnlike(evidence: Evidence, step: string): string | undefined {
  const { list, reader, find } = evidence;
  const page = reader.pages.get(step);
  if (!page) return `answered ${find(step)?.status}`;
  const toProject = toOwn(evidence, 'projectId');
  const path = find('list.project')?.path ?? '';
  const own = list.studies.filter((study) => path.includes(String(toProject(study))));
  const expected = Math.max(own.length, reader.pages.get('list.project')?.ids.length ?? 0);
  const foreign = page.studies.filter((study) => !path.includes(String(toProject(study)))).length;
  if (foreign > 0) return `${foreign} of another project`;
  const seen = `${page.ids.length} of ${expected} studies of a project`;
  return page.ids.length < expected ? seen : undefined;
}

function judgeProject(evidence: Evidence): Verdict | undefined {
  const { find, unseen, reader } = evidence;
  const exchange = find('list.project');
  if (!exchange) return open('no study of a project is listed', 'list.exists');
  if (!reader.pages.has('list.project') && !isRefusal(exchange)) return unseen('list.project');
  const others = reader.pages.get('list.stranger')?.count ?? 0;
  const strange = others > 0 ? `${others} studies of a project that is not` : undefined;
  const seen = strange ?? findUnlike(evidence, 'list.project');
  return seen === undefined ? undefined : toParameter('projectId', seen, exchange);
}

/** Statements about `GET /studies` and `GET /studies/{study_id}`. */
export const listJudges: Judges = {
  // A 404 proves nothing if nothing else was found under the address.
  'list.exists': ({ contract, find, unseen, reader, exchanges }) => {
    if (!contract.operations.studies) return open('the contract has no list');
    const exchange = find('list');
    if (reader.pages.has('list')) return undefined;
    if (exchange && isSuccess(exchange))
      return fails(`${toTypeName(exchange.json)} without an array of studies`, [exchange], NO_FILE);
    const { status = 0 } = exchange ?? {};
    const isFound = status !== 404 || exchanges.some((one) => isSuccess(one) || one.status === 405);
    if (!exchange || !missing.has(status) || !isFound) return unseen('list');
    return differs(`answered ${status}`, [exchange], { at: base, value: false });
  },
  'list.items': ({ list: { items, ids, exchange }, reader, contract }) => {
    const faults = countFaults(items, (item) =>
      isObject(item) ? undefined : `${toTypeName(item)} in place of a study`,
    );
    if (faults !== undefined) return fails(faults, [exchange], NO_FILE);
    const known = ids.filter((id) => id !== undefined).map(String);
    const repeated = known.length - new Set(known).size;
    const seen = `${repeated} of ${known.length} studies repeat an \`id\``;
    if (repeated > 0) return differs(seen, [exchange], NO_FILE);
    if (reader.items === toList(contract).items) return undefined;
    if (reader.items === '') return note('an array', [exchange], 'It is one page without numbers.');
    return differs('at another place', [exchange], { at: `${base}/items`, value: reader.items });
  },
  'list.numbers': ({ list: { count, exchange }, reader, contract }) => {
    if (reader.items === '') return open('no page with numbers', 'list.items');
    const { items, numbers } = toList(contract);
    const beside = (reader.items ?? items).replace(/[^/]*$/, '');
    const read = (pointer = ''): number => Number(readAt(exchange.json, pointer) ?? NaN);
    const found = (['page', 'size', 'total', 'pages'] as const).map((number) => {
      const place = numbers[number] ?? beside + number;
      const isThere = typeof readAt(exchange.json, place) === 'number';
      return { number, isThere, at: isThere ? place : findNumber(exchange.json, number) };
    });
    const others = found.filter(({ isThere }) => !isThere);
    const lines = others.flatMap(({ number, at }) =>
      at === undefined ? [] : [{ at: `${base}/numbers/${number}`, value: at }],
    );
    const seen = `${quote(others.map(({ number }) => number))} not there`;
    const [, size = NaN, total = NaN, pages = NaN] = found.map(({ at = '/-' }) => read(at));
    const first = reader.pages.get('list.first');
    const isOfPage = first && first.total === first.count && first.count < count;
    const isWrong = isOfPage || total < count || (count < size && total > count);
    const isSplit = total > 0 && size > 0 && pages >= 0 && pages !== Math.ceil(total / size);
    const verdicts: Verdict[] = [];
    if (lines.length > 0) verdicts.push(differs(seen, [exchange], ...lines));
    else if (others.length > 0)
      verdicts.push(note(seen, [exchange], 'A missing number is `null`.'));
    if (isWrong) verdicts.push(differs('`total` does not count the studies', [exchange], NO_FILE));
    if (isSplit) verdicts.push(differs('`pages` is not `total` by `size`', [exchange], NO_FILE));
    return verdicts;
  },
  'list.size': ({ list, reader, find }) => {
    const exchange = find('list.first');
    const others = ['list.first', 'list.second', 'list.other'].map((step) =>
      reader.pages.get(step),
    );
    const hasOne = others.some((page) => page?.count === 1);
    const many = others.find((page) => page && page.count > 1);
    if (many) return toParameter('size', `${many.count} studies, asked for 1`, many.exchange);
    if (exchange && isRefusal(exchange) && !hasOne)
      return toParameter('size', `answered ${exchange.status}`, exchange);
    return list.count < 2 || !hasOne ? open('too few studies to tell', 'list.page') : undefined;
  },
  'list.page': ({ list, reader, contract, unseen }) => {
    const pages = ['first', 'second', 'other'].map((step) => reader.pages.get(`list.${step}`));
    const [first, second, other] = pages;
    if (list.ids.length === 0) return open('no study is listed', 'list.exists');
    if (new Set(list.ids).size < list.ids.length) return open('studies repeat an id', 'list.items');
    if (first && second && second.count > 1 && String(first.ids) === String(second.ids))
      return toParameter('page', 'page 2 shows nothing else', second.exchange);
    if ([first, second].some((page) => page && page.count > 1))
      return open('the size is ignored', 'list.size');
    // A study that was added or removed meanwhile moves the others.
    if (pages.some((page) => page && page.total !== list.total))
      return open('the number of studies has changed meanwhile');
    const toIndex = (page: Page | undefined): number => list.ids.indexOf(page?.ids[0]);
    const value = 1 - toList(contract).firstPage;
    const line = { at: `${base}/firstPage`, value };
    if (toIndex(first) !== 0 && other && toIndex(other) === 0)
      return differs(`the first page is ${value}`, [other.exchange], line);
    if (!first) return unseen('list.first');
    if (toIndex(first) > 1)
      return differs('the order is another one each time', [first.exchange], NO_FILE);
    if (toIndex(first) === 1 || first.ids.length === 0)
      return toParameter('page', 'page 1 does not begin with the first study', first.exchange);
    if (list.ids.length < 2) return open('too few studies to tell');
    if (!second) return unseen('list.second');
    if (toIndex(first) < 0 || toIndex(second) > 1 || (toIndex(second) < 0 && second.ids.length > 0))
      return open('the list changes its order');
    if (toIndex(second) === 1) return undefined;
    return toParameter('page', 'page 2 shows nothing else', second.exchange);
  },
  'list.project': judgeProject,
  'list.projects': (evidence) => {
    if (judgeProject(evidence)) return open('one project cannot be selected', 'list.project');
    for (const step of ['list.projects', 'list.projects-last']) {
      const exchange = evidence.find(step);
      const seen = findUnlike(evidence, step);
      if (!exchange || exchange.status === 404) return evidence.unseen(step);
      if (seen === undefined) continue;
      const isRepeated = findUnlike(evidence, 'list.repeated') === undefined;
      const line = { at: `${base}/projects`, value: 'repeated' };
      const advice = 'No file can help: ask for one project at a time.';
      return differs(`${seen}, asked for two`, [exchange], isRepeated ? line : advice);
    }
    return undefined;
  },
  'list.fields': (evidence) => {
    const { list } = evidence;
    const toId = toOwn(evidence, 'id');
    const reads = new Map(toReads(evidence).map(({ study }) => [toId(study), study]));
    const both = list.studies.flatMap((item) => {
      const study = toId(item) === undefined ? undefined : reads.get(toId(item));
      return study ? [{ item, study }] : [];
    });
    if (both.length === 0) return open('no study was both listed and read');
    const faults = countFaults(both, ({ item, study }) => {
      const lacking = Object.keys(study).filter((name) => item[name] === undefined);
      return lacking.length > 0 ? `no ${lacking.map(toSafeName).join(', ')}` : undefined;
    });
    const advice = 'No file can help: in the list they are `null` or errors.';
    return faults === undefined ? undefined : differs(faults, [list.exchange], advice);
  },
  // A 404 refutes a read only for a study that the API has shown.
  'read.exists': (evidence) => {
    const { exchanges, reader, contract, find, unseen } = evidence;
    if (!contract.operations.study) return open('the contract has no read');
    const reads = exchanges.filter(({ step }) => /^read$|^back\./.test(step));
    const ids = reader.pages.get('list')?.ids.map(String) ?? [];
    const isShown = ({ step, path }: Exchange): boolean =>
      step !== 'read' || ids.some((id) => path.includes(id));
    const refused = reads.filter(
      (one) => (one.status ?? 0) >= 400 && (isShown(one) || one.status === 405),
    );
    const line = { at: '/operations/study', value: false };
    const unknown = find('read.unknown');
    if (reads.length === 0 && unknown?.status === 405)
      return differs('answered 405', [unknown], line);
    const found = reads.filter(isSuccess);
    const strange = found.find(({ json }) => !isObject(readAt(json, reader.at)));
    const type = toTypeName(readAt(strange?.json, reader.at));
    if (strange) return fails(`${type} in place of a study`, [strange], NO_FILE);
    const seen = countFaults(reads, (one) =>
      refused.includes(one) ? `answered ${one.status}` : undefined,
    );
    if (seen === undefined)
      return found.length > 0 ? undefined : unseen(reads.length > 0 ? 'read' : 'read.unknown');
    const isGone = refused.every((one) => isMissing(evidence, one, 'read.bad-id'));
    const advice = 'No file can help: the API shows studies that cannot be read.';
    return differs(seen, refused, found.length === 0 && isGone ? line : advice);
  },
  'read.own-id': (evidence) => {
    const reads = toReads(evidence);
    if (reads.length === 0) return evidence.unseen('read');
    const toId = toOwn(evidence, 'id');
    const others = reads.filter(({ exchange, study }) => {
      const id = toId(study);
      return typeof id === 'string' && !exchange.path.toLowerCase().includes(id.toLowerCase());
    });
    const seen = `another id in ${others.length} of ${reads.length}`;
    const advice = 'No file can help: the gateway shows no study but the one asked for.';
    const exchanges = others.map(({ exchange }) => exchange);
    return others.length > 0 ? fails(seen, exchanges, advice) : undefined;
  },
};
