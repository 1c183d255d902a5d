import { isSuccess, type Exchange } from './ask.js';
import { find, toUnseen, type Evidence } from './evidence.js';
import { isObject, readAt, toSafeName, toTypeName } from './fields.js';
import { isMissing, missing } from './shown.js';
import { findNumber, toList, toStudies, type Page } from './read.js';
import {
  countFaults,
  differs,
  fails,
  note,
  open,
  questionsOf,
  so,
  type Question,
  type Verdict,
} from './verdict.js';

const base = '/operations/studies';
const ofList = questionsOf('reading', 'inferred', 'studies');
const ofRead = questionsOf('reading', 'reference', 'study');

/** Questions about `GET /studies` and `GET /studies/{study_id}`. */
export const listQuestions: readonly Question[] = [
  ofList('list.exists', '`GET /studies` lists studies.', judgeList, base),
  ofList(
    'list.items',
    'The studies of a page are in `items`, or the page is an array.',
    judgeItems,
    `${base}/items`,
  ),
  ofList(
    'list.numbers',
    '`total`, `page`, `size` and `pages` are beside the studies.',
    judgeNumbers,
    `${base}/numbers`,
  ),
  ofList('list.size', '`size` limits the studies on a page.', judgeSize, `${base}/parameters/size`),
  ofList(
    'list.page',
    '`page` selects the page, and the first page is 1.',
    judgePages,
    `${base}/firstPage`,
  ),
  ofList(
    'list.project',
    '`projectId` restricts the list to one project.',
    judgeProject,
    `${base}/parameters/projectId`,
  ),
  ofList(
    'list.projects',
    '`projectId` takes several ids, separated by commas.',
    judgeProjects,
    `${base}/projects`,
  ),
  ofList(
    'list.fields',
    'A study in the list has the fields that it has when it is read.',
    judgeListed,
  ),
  ofRead('read.exists', '`GET /studies/{study_id}` reads a study.', judgeRead, '/operations/study'),
  ofRead('read.own-id', 'The answer to a read has the id that was asked for.', judgeOwnId),
  ofRead('error.not-found', 'A read of an unknown id is answered 404.', judgeUnknown),
];

/** Judges whether the list exists. A 404 proves nothing if nothing else was found under the address. */
function judgeList(evidence: Evidence): Verdict {
  if (!evidence.contract.operations.studies) return open('the contract has no list');
  const exchange = find(evidence, 'list');
  if (exchange?.status === undefined) return toUnseen(evidence, 'list');
  const seen = `answered ${exchange.status}`;
  if (isSuccess(exchange)) {
    if (evidence.reading.pages.has('list')) return so(seen, exchange);
    const type = toTypeName(exchange.json);
    return fails(`${type} without an array of studies`, [exchange], 'No file can help.');
  }
  const isFound =
    exchange.status !== 404 ||
    evidence.exchanges.some((one) => isSuccess(one) || one.status === 405);
  if (!missing.has(exchange.status) || !isFound) return toUnseen(evidence, 'list');
  return differs(seen, [exchange], { at: base, value: false });
}

function judgeItems({ reading, contract }: Evidence): Verdict {
  const list = reading.pages.get('list');
  if (!list) return open('no list was read', 'list.exists');
  const faults = countFaults(list.items, (item) =>
    isObject(item) ? undefined : `${toTypeName(item)} in place of a study`,
  );
  const exchanges = [list.exchange];
  if (faults !== undefined) return fails(faults, exchanges, 'No file can help: each is an error.');
  if (reading.items === toList(contract).items) return so(`${list.items.length} studies`);
  if (reading.items === '') return note('an array', exchanges, 'It is one page without numbers.');
  return differs('at another place', exchanges, { at: `${base}/items`, value: reading.items });
}

function judgeNumbers({ reading, contract }: Evidence): Verdict {
  const list = reading.pages.get('list');
  if (!list || reading.items === '') return open('no page with numbers', 'list.items');
  const { items, numbers } = toList(contract);
  const beside = (reading.items ?? items).replace(/[^/]*$/, '');
  const { json } = list.exchange;
  const others = (['page', 'size', 'total', 'pages'] as const).flatMap((number) => {
    const known = readAt(json, numbers[number] ?? beside + number);
    return typeof known === 'number' ? [] : { number, value: findNumber(json, number) };
  });
  if (others.length === 0) return so('4 numbers');
  const seen = `${others.map(({ number }) => `\`${number}\``).join(', ')} not there`;
  const lines = others
    .filter(({ value }) => value !== undefined)
    .map(({ number, value }) => ({ at: `${base}/numbers/${number}`, value }));
  if (lines.length > 0) return differs(seen, [list.exchange], ...lines);
  return note(seen, [list.exchange], 'A missing number is `null`.');
}

/** Returns a finding about a parameter that the API does not take by its known name: a person must name it. */
function toParameter(name: string, seen: string, exchange: Exchange): Verdict {
  const line = { at: `${base}/parameters/${name}`, value: '' };
  return differs(seen, [exchange], line, `Name it there, or put "${name}" into ${base}/absent.`);
}

function isRefusal({ status = 0 }: Exchange): boolean {
  return status >= 400 && status < 500 && ![403, 404, 429].includes(status);
}

function judgeSize(evidence: Evidence): Verdict {
  const { pages } = evidence.reading;
  const list = pages.get('list');
  if (!list) return open('no list was read', 'list.exists');
  const exchange = find(evidence, 'list.first');
  const others = ['list.first', 'list.second', 'list.other'].map((step) => pages.get(step));
  const one = others.find((page) => page?.items.length === 1);
  const many = others.find((page) => page && page.items.length > 1);
  if (many) return toParameter('size', `${many.items.length} studies, asked for 1`, many.exchange);
  if (exchange && isRefusal(exchange) && !one)
    return toParameter('size', `answered ${exchange.status}`, exchange);
  if (list.items.length < 2 || !one) return open('too few studies to tell', 'list.page');
  return so('1 study, asked for 1', one.exchange);
}

function judgePages(evidence: Evidence): Verdict {
  const { pages } = evidence.reading;
  const [list, first, second, other] = ['list', 'list.first', 'list.second', 'list.other'].map(
    (step) => pages.get(step),
  );
  if (!list || list.ids.length === 0) return open('no study is listed', 'list.exists');
  if ([first, second].some((page) => page && page.items.length > 1))
    return open('the size is ignored', 'list.size');
  // A study that was added or removed meanwhile moves the others.
  if ([first, second, other].some((page) => page && page.total !== list.total))
    return open('the number of studies has changed meanwhile');
  const isFirst = (page: Page | undefined): boolean => page?.ids[0] === list.ids[0];
  const asked = find(evidence, 'list.first');
  if (!isFirst(first)) {
    const value = 1 - toList(evidence.contract).firstPage;
    const line = { at: `${base}/firstPage`, value };
    if (other && asked && isFirst(other))
      return differs(`the first page is ${value}`, [asked, other.exchange], line);
    if (!first) return toUnseen(evidence, 'list.first');
    const isKnown = first.ids.length === 0 || list.ids.includes(first.ids[0]);
    return isKnown
      ? toParameter('page', 'page 1 does not begin with the first study', first.exchange)
      : open('the list changes its order');
  }
  if (list.ids.length < 2) return open('too few studies to tell');
  if (!second) return toUnseen(evidence, 'list.second');
  if (second.ids[0] === list.ids[1]) return so('studies 1 and 2 on pages 1 and 2', second.exchange);
  if (!isFirst(second) && second.ids.length > 0) return open('the list changes its order');
  return toParameter('page', 'page 2 shows nothing else', second.exchange);
}

function judgeProject(evidence: Evidence): Verdict {
  const { reading, learned } = evidence;
  const { pages } = reading;
  const [list, alone] = [pages.get('list'), pages.get('list.project')];
  const exchange = find(evidence, 'list.project');
  if (!list || !exchange) return open('no study of a project is listed', 'list.exists');
  if (isRefusal(exchange)) return toParameter('projectId', `answered ${exchange.status}`, exchange);
  if (!alone) return toUnseen(evidence, 'list.project');
  const name = learned.names.get('projectId') ?? 'projectId';
  const others = pages.get('list.stranger')?.items.length ?? 0;
  if (others > 0)
    return toParameter('projectId', `${others} studies of a project that is not`, exchange);
  const ids = list.studies.map((study) => study[name]);
  const asked = ids.find((id) => exchange.path.includes(String(id)));
  const foreign = alone.studies.filter((study) => study[name] !== asked).length;
  if (foreign > 0) return toParameter('projectId', `${foreign} of another project`, exchange);
  const expected = ids.filter((id) => id === asked).length;
  const seen = `${alone.items.length} of ${expected} studies of a project`;
  if (alone.items.length >= expected) return so(seen, exchange);
  return toParameter('projectId', seen, exchange);
}

function judgeProjects(evidence: Evidence): Verdict {
  const { pages } = evidence.reading;
  const [alone, repeated] = [pages.get('list.project'), pages.get('list.repeated')];
  const name = evidence.learned.names.get('projectId') ?? 'projectId';
  if (!alone || judgeProject(evidence).is !== 'so')
    return open('one project cannot be selected', 'list.project');
  // More studies of the project may have been added meanwhile.
  const isWhole = ({ ids, studies }: Page): boolean =>
    ids.length >= alone.ids.length &&
    studies.every((study) => study[name] === alone.studies[0]?.[name]);
  for (const step of ['list.projects', 'list.projects-last']) {
    const [exchange, page] = [find(evidence, step), pages.get(step)];
    if (!exchange || exchange.status === 404) return toUnseen(evidence, step);
    if (page && isWhole(page)) continue;
    const seen = page
      ? `${page.ids.length} of ${alone.ids.length} studies for two ids`
      : `answered ${exchange.status} to two ids`;
    if (repeated && isWhole(repeated))
      return differs(seen, [exchange], { at: `${base}/projects`, value: 'repeated' });
    return differs(seen, [exchange], 'No file can help: ask for one project at a time.');
  }
  return so(`${alone.ids.length} studies for two ids, in both orders`);
}

function judgeListed({ reading, exchanges, learned }: Evidence): Verdict {
  const list = reading.pages.get('list');
  const id = learned.names.get('id') ?? 'id';
  const reads = toStudies(exchanges, reading).filter(({ exchange }) => exchange.step === 'read');
  const both = (list?.studies ?? []).flatMap((item) => {
    const read = reads.find(({ study }) => study[id] === item[id] && item[id] !== undefined);
    return read ? [{ item, study: read.study }] : [];
  });
  const faults = countFaults(both, ({ item, study }) => {
    const lacking = Object.keys(study).filter((name) => item[name] === undefined);
    return lacking.length > 0 ? `no ${lacking.map(toSafeName).join(', ')}` : undefined;
  });
  if (!list || both.length === 0) return open('no study was both listed and read');
  if (faults === undefined) return so(`${both.length} studies`);
  return differs(
    faults,
    [list.exchange],
    'No file can help: in the list they are `null` or errors.',
  );
}

/** Judges whether studies can be read. A 404 refutes it only for a study that the API has shown. */
function judgeRead(evidence: Evidence): Verdict {
  if (!evidence.contract.operations.study) return open('the contract has no read');
  const { exchanges, reading } = evidence;
  const reads = exchanges.filter(({ step }) => step === 'read' || step.startsWith('back.'));
  const ids = reading.pages.get('list')?.ids.map(String) ?? [];
  const isShown = ({ step, path }: Exchange): boolean =>
    step !== 'read' || ids.some((id) => path.includes(id));
  const refused = reads.filter(
    (one) => (one.status ?? 0) >= 400 && (isShown(one) || one.status === 405),
  );
  const line = { at: '/operations/study', value: false };
  const unknown = find(evidence, 'read.unknown');
  if (reads.length === 0 && unknown?.status === 405)
    return differs('answered 405', [unknown], line);
  const found = reads.filter(isSuccess);
  const strange = found.filter(({ json }) => !isObject(readAt(json, reading.at)));
  if (strange.length > 0) {
    const type = toTypeName(readAt(strange[0]!.json, reading.at));
    return fails(`${type} in place of a study`, strange, 'No file can help.');
  }
  if (refused.length === 0)
    return found.length > 0
      ? so(`${found.length} of ${reads.length} studies`)
      : toUnseen(evidence, reads.length > 0 ? 'read' : 'read.unknown');
  const seen = countFaults(reads, (one) =>
    refused.includes(one) ? `answered ${one.status}` : undefined,
  );
  if (found.length === 0 && refused.every((one) => isMissing(evidence, one, 'read.bad-id')))
    return differs(seen!, refused, line);
  return differs(seen!, refused, 'No file can help: the API shows studies that cannot be read.');
}

function judgeOwnId(evidence: Evidence): Verdict {
  const { reading, learned, exchanges } = evidence;
  const reads = toStudies(exchanges, reading).filter(({ exchange }) => exchange.step === 'read');
  const others = reads.filter(({ exchange, study }) => {
    const id = study[learned.names.get('id') ?? 'id'];
    const { path } = exchange;
    return typeof id === 'string' && !path.toLowerCase().includes(id.toLowerCase());
  });
  if (reads.length === 0) return toUnseen(evidence, 'read');
  if (others.length === 0) return so(`${reads.length} studies`);
  const seen = `another id in ${others.length} of ${reads.length}`;
  const advice = 'No file can help: the gateway shows no study but the one asked for.';
  return fails(
    seen,
    others.map(({ exchange }) => exchange),
    advice,
  );
}

function judgeUnknown(evidence: Evidence): Verdict {
  const exchange = find(evidence, 'read.unknown');
  const { status, fault } = exchange ?? {};
  if (!exchange || status === undefined || status === 405)
    return toUnseen(evidence, 'read.unknown');
  const seen = `answered ${status}`;
  if (status === 404)
    return evidence.exchanges.some(isSuccess) ? so(seen, exchange) : open(seen, 'http.found');
  if (
    fault !== undefined &&
    evidence.exchanges.some((one) => one !== exchange && one.fault === fault)
  )
    return open(fault, 'http.answer');
  return differs(seen, [exchange], 'No file can help: `study` is an error in place of `null`.');
}
