import { isSuccess, type Exchange } from './ask.js';
import { find, toUnseen, type Evidence } from './evidence.js';
import {
  createFields,
  isObject,
  readAt,
  strategies,
  toApiName,
  toPlaces,
  type FieldName,
  type JsonObject,
} from './fields.js';
import { findStudy, isValue, readStudy, toNames, toStudy } from './learn.js';
import {
  differs,
  fails,
  note,
  open,
  questionsOf,
  settle,
  so,
  type Line,
  type Question,
  type Verdict,
} from './verdict.js';

const ofCreate = questionsOf('writing', 'document', 'createStudy');
const ofEdit = questionsOf('writing', 'document', 'editStudy');
const ofBoth = questionsOf('writing', 'assumed', 'createStudy', 'editStudy');

/** Questions that only a write can answer. */
export const writeQuestions: readonly Question[] = [
  ofCreate(
    'create.exists',
    '`POST /studies` stores a study and answers with it.',
    judgeCreate,
    '/operations/createStudy',
  ),
  ofBoth('write.yes', 'A 2xx means yes.', judgeYes, '/verdicts/success'),
  ofBoth('write.statuses', 'Each 2xx counts as a yes.', judgeApplied, '/verdicts/applied'),
  ofCreate(
    'create.required',
    'A create demands no field.',
    judgeRequired,
    '/request/required/createStudy',
  ),
  ofCreate(
    'create.fields',
    'A create takes the sixteen fields.',
    judgeTaken,
    '/request/absent/createStudy',
  ),
  ofBoth(
    'request.naming',
    'The names in requests are those of the document.',
    judgeNames,
    '/request/names',
  ),
  ofCreate('create.stored', 'The API gives back what a create has sent.', judgeStored),
  ofBoth(
    'keys.honoured',
    'A create with a used idempotency key makes another study.',
    judgeKeys,
    '/keys',
  ),
  ofEdit(
    'edit.exists',
    '`PATCH /studies/{study_id}` edits a study and answers with it.',
    judgeEdit,
    '/operations/editStudy',
  ),
  ofEdit('edit.merge', 'An edit leaves omitted fields as they are.', judgeMerge),
  ofEdit('edit.null', '`null` clears a field.', judgeNull),
  ofEdit('edit.empty', 'An empty array clears a list.', judgeEmpty),
  ofEdit('edit.progress', 'A `progress` replaces the whole progress.', judgeProgress),
  ofEdit('edit.unknown', 'An unknown field is not stored.', judgeUnknownField),
  ofEdit('edit.date', 'The API gives back `createdAt` as it was sent.', judgeDate),
  ofEdit('edit.problems', 'An edit does not change `problems`.', judgeProblems),
  ofEdit('edit.nothing', 'An edit of nothing changes nothing.', judgeNothing),
  ofEdit('edit.strategies', 'The six strategies and other texts are accepted.', judgeStrategies),
  ofEdit('edit.stored', 'What an edit answers is stored.', judgeReadBack),
  ofEdit('edit.etag', 'An edit needs no `If-Match`.', judgeEtag),
];

const missing = new Set([404, 405, 501]);
const NO_FILE = 'No file can help.';

/** Returns the study in the answer to a step, by GraphQL names; `undefined` without success. */
function show(evidence: Evidence, step: string): JsonObject | undefined {
  const exchange = find(evidence, step);
  return exchange && isSuccess(exchange) ? toShown(evidence, exchange) : undefined;
}

function toShown({ contract, learned, at }: Evidence, { json }: Exchange): JsonObject | undefined {
  const study = readStudy(json, at ?? findStudy(json, contract.answer));
  const shown = toStudy(study, learned.names);
  return Object.values(shown).some((value) => value !== undefined) ? shown : undefined;
}

function judgeCreate(evidence: Evidence): Verdict {
  const { written, contract } = evidence;
  if (!written || !contract.operations.createStudy) return toUnseen(evidence, 'create.smallest');
  if (written.whole) return so(`answered ${written.whole.status}`, written.whole);
  const creates = evidence.exchanges.filter(({ method }) => method === 'POST');
  const last = creates.at(-1);
  if (last?.status === undefined) return toUnseen(evidence, 'create.smallest');
  const seen = `answered ${last.status}`;
  const isGone = creates.every(({ status = 0 }) => missing.has(status));
  if (isGone && evidence.exchanges.some((one) => isSuccess(one) || one.status === 405))
    return differs(seen, [last], { at: '/operations/createStudy', value: false });
  if (isGone) return open(seen, 'http.found');
  if (last.fault !== undefined && last.status < 400) return open(last.fault, 'http.answer');
  const advice = isSuccess(last)
    ? 'No file can help: no answer to a create shows the id of a study.'
    : 'Does the project of --project exist? Else write the contract from the OpenAPI document.';
  return fails(seen, [last], advice);
}

/** Compares the bodies of a yes and of a no that both are a 2xx. */
function judgeYes({ exchanges, written, contract, at }: Evidence): Verdict {
  const yes = written?.whole;
  if (!yes) return open('no write was made', 'create.exists');
  const isOfMade = ({ number }: Exchange): boolean => written.made.has(number);
  const no = exchanges.find(
    (one) => one.step.startsWith('refuse.') && isSuccess(one) && !isOfMade(one),
  );
  const { success } = contract.verdicts;
  const [place] = Object.entries(success ?? {});
  if (place && readAt(yes.json, place[0]) === place[1]) return so(`\`${place[0]}\` says yes`, yes);
  if (!no && !place) return so('refusals have other statuses', yes);
  const says = toPlaces(yes.json).filter(([pointer, value]) => {
    const other = readAt(no?.json, pointer);
    const isInside = at !== undefined && at !== '' && pointer.startsWith(at);
    return (
      !isInside &&
      ['boolean', 'string', 'number'].includes(typeof value) &&
      other !== undefined &&
      other !== value
    );
  });
  const [best] = says.toSorted(
    ([, one], [, other]) => Number(typeof other === 'boolean') - Number(typeof one === 'boolean'),
  );
  const at_ = '/verdicts/success';
  if (!no) return differs('the place says nothing', [yes], { at: at_, value: undefined });
  const seen = `a refusal is answered ${no.status}`;
  if (best) return differs(seen, [no], { at: at_, value: { [best[0]]: best[1] } });
  return fails(seen, [no], 'No file can help: no place in the body says yes or no.');
}

function judgeApplied({ exchanges, contract, written }: Evidence): Verdict {
  const { applied } = contract.verdicts;
  const made = exchanges.filter((one) => one.method !== 'GET' && isSuccess(one));
  if (!written || made.length === 0) return open('no write was made', 'create.exists');
  const statuses = [...new Set(made.map(({ status = 0 }) => status))];
  const others = statuses.filter((status) => applied?.includes(status) === false);
  if (others.length === 0) return so(`answered ${statuses.join(', ')}`);
  const value = [...(applied ?? []), ...others];
  return differs(`answered ${others.join(', ')}`, made.slice(0, 3), {
    at: '/verdicts/applied',
    value,
  });
}

function judgeRequired(evidence: Evidence): Verdict {
  const { written, contract } = evidence;
  const at = '/request/required/createStudy';
  const known: readonly FieldName[] = contract.request.required.createStudy;
  const first = find(evidence, 'create.smallest');
  if (!written || !first || !written.whole) return open('no create was made', 'create.exists');
  if (written.smallest === undefined) {
    if (known.length > 0) return open('a create of less is refused, as the contract says');
    return settle(
      `answered ${first.status} to a create of two fields`,
      [first],
      { at, value: [''] },
      'Name the fields there.',
    );
  }
  const required = [...written.required];
  const others = required.filter((field) => !known.includes(field));
  const free = known.filter(
    (field) => !required.includes(field) && field !== 'projectId' && field !== 'description',
  );
  if (others.length > 0)
    return differs(`${quote(others)} required`, [first], { at, value: [...known, ...others] });
  if (free.length === 0 || required.length > 0)
    return so('a create of two fields, and what it demands', first);
  return differs(`${quote(free)} not required`, [first], {
    at,
    value: known.filter((field) => !free.includes(field)),
  });
}

function quote(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function judgeTaken({ written, contract }: Evidence): Verdict | readonly Verdict[] {
  if (!written?.whole) return open('no create was made', 'create.exists');
  const [names, values] = (['name', 'value'] as const).map((reason) =>
    [...written.refused].filter(([, why]) => why === reason).map(([field]) => field),
  );
  const exchanges = [written.whole];
  const at = '/request/absent/createStudy';
  const value = [...contract.request.absent.createStudy, ...names!];
  const verdicts = [
    ...(names!.length > 0
      ? [differs(`${quote(names!)} refused by name`, exchanges, { at, value })]
      : []),
    ...(values!.length > 0
      ? [
          note(
            `the values of ${quote(values!)} were refused`,
            exchanges,
            'They may be taken with other values.',
          ),
        ]
      : []),
  ];
  const sent = Object.keys(written.sent.get(written.whole.number) ?? {});
  return verdicts.length > 0 ? verdicts : so(`${sent.length} fields`, written.whole);
}

/** Judges names that are sure: a value that was sent under the name came back, or strict names were taken. */
function judgeNames({ written, contract }: Evidence): Verdict {
  if (!written?.whole) return open('no create was made', 'create.exists');
  const { request } = contract;
  const { naming, names } = toNames(new Map([...written.settled]), {
    ...request,
    naming: written.names.naming,
  });
  const known: Readonly<Record<string, string | undefined>> = request.names;
  const lines: Line[] = Object.entries(names)
    .filter(([field, name]) => naming !== request.naming || known[field] !== name)
    .map(([field, value]) => ({ at: `/request/names/${field}`, value }));
  if (naming !== request.naming) {
    lines.unshift({ at: '/request/naming', value: naming });
    for (const field of Object.keys(known))
      if (names[field] === undefined)
        lines.push({ at: `/request/names/${field}`, value: undefined });
  }
  if (lines.length === 0) return so(`${written.settled.size} names by value`, written.whole);
  return differs(
    `${naming} names, ${Object.keys(names).length} exceptions`,
    [written.whole],
    ...lines,
  );
}

/** Returns the fields of a body that an answer shows changed. */
function findChanged(sent: JsonObject, shown: JsonObject): FieldName[] {
  return createFields.filter((field) => {
    const [before, after] = [sent[field], shown[field]];
    return (
      before !== undefined &&
      after !== undefined &&
      JSON.stringify(before) !== JSON.stringify(after)
    );
  });
}

function judgeStored(evidence: Evidence): Verdict | readonly Verdict[] {
  const { written, learned } = evidence;
  if (!written?.whole) return open('no create was made', 'create.exists');
  const { whole } = written;
  const sent = written.sent.get(whole.number) ?? {};
  const shown = toPartNames(learned.names, toShown(evidence, whole) ?? {});
  // A field that was sent under a name of another is judged by its name.
  const isOfName = (field: FieldName): boolean =>
    written.settled.has(field) && !learned.byValue.has(field);
  const changed = findChanged(sent, shown).filter((field) => !isOfName(field));
  const lost = changed.filter((field) => isEmpty(shown[field]));
  const others = changed.filter((field) => !lost.includes(field));
  const back = find(evidence, 'back.created');
  const read = toPartNames(learned.names, show(evidence, 'back.created') ?? {});
  const unlike = findChanged(shown, read);
  const verdicts = others.map((field) =>
    differs(
      `\`${field}\` comes back as another value${toHow(sent[field], shown[field])}`,
      [whole],
      NO_FILE,
    ),
  );
  if (lost.length > 0) verdicts.push(differs(`${quote(lost)} not stored`, [whole], NO_FILE));
  if (back && unlike.length > 0)
    verdicts.push(differs(`a read shows other values of ${quote(unlike)}`, [back], NO_FILE));
  return verdicts.length > 0 ? verdicts : so(`${learned.byValue.size} values came back`, whole);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Says how a value differs, without the value. */
function toHow(sent: unknown, shown: unknown): string {
  if (typeof sent !== typeof shown) return '';
  if (isValue('createdAt', sent, shown) && typeof sent === 'string' && typeof shown === 'string') {
    const toZone = (date: string): string => date.replace(/^.{19}[.\d]*/, '');
    return toZone(sent) === toZone(shown) ? ', with fewer digits of seconds' : ', in another zone';
  }
  return '';
}

/** Returns a study with the parts of its progress by their GraphQL names. */
function toPartNames(names: ReadonlyMap<string, string>, study: JsonObject): JsonObject {
  const { progress } = study;
  if (!isObject(progress)) return study;
  const parts = ['total', 'completed', 'failed'].map((part) => [
    part,
    progress[names.get(`progress.${part}`) ?? part],
  ]);
  return { ...study, progress: Object.fromEntries(parts) };
}

function judgeKeys(evidence: Evidence): Verdict {
  const { written, contract } = evidence;
  const again = find(evidence, 'create.again');
  if (!written?.whole || !again) return open('no create was repeated', 'create.exists');
  const areHonoured = written.made.get(again.number) === written.id && written.id !== undefined;
  const { keys } = contract;
  const seen = areHonoured
    ? 'the first study'
    : `answered ${again.status}${isSuccess(again) ? ', another study' : ''}`;
  if (areHonoured === (keys !== undefined)) return so(seen, again);
  if (!areHonoured && !isSuccess(again)) return open(seen);
  const value = areHonoured ? { header: 'Idempotency-Key' } : undefined;
  return differs(seen, [again], { at: '/keys', value });
}

function judgeEdit(evidence: Evidence): Verdict {
  const { written, contract, learned } = evidence;
  if (!written || !contract.operations.editStudy) return toUnseen(evidence, 'edit.flag');
  const edit = find(evidence, 'edit.flag');
  const unknown = find(evidence, 'refuse.unknown');
  const line = { at: '/operations/editStudy', value: false };
  if (!edit && unknown?.status === 405) return differs('answered 405', [unknown], line);
  if (unknown && show(evidence, 'refuse.unknown')?.['id'] !== undefined && !edit)
    return fails('an unknown id is edited', [unknown], NO_FILE);
  if (!edit) return toUnseen(evidence, 'edit.flag');
  const seen = `answered ${edit.status}`;
  if (edit.fault !== undefined && (edit.status ?? 500) < 400)
    return open(edit.fault, 'http.answer');
  if (!isSuccess(edit))
    return missing.has(edit.status ?? 0)
      ? differs(seen, [edit], line)
      : fails(seen, [edit], NO_FILE);
  const shown = toShown(evidence, edit);
  if (shown?.id === undefined || `${shown.id}` !== written.id)
    return fails(
      `${shown?.id === undefined ? 'no' : 'another'} id in the answer`,
      [edit],
      'No file can help: such an edit proves nothing.',
    );
  if (learned.names.has('bookmarked') && shown.bookmarked === true)
    return differs('the edit is not made', [edit], NO_FILE);
  if (unknown && show(evidence, 'refuse.unknown')?.['id'] !== undefined)
    return differs('an unknown id is edited too', [unknown], NO_FILE);
  return so(seen, edit);
}

/** Returns what an edit of one field shows; a verdict if it shows nothing. */
function compare(
  evidence: Evidence,
  step: string,
  judge: (shown: JsonObject, exchange: Exchange, created: JsonObject) => Verdict,
): Verdict {
  const exchange = find(evidence, step);
  const shown = show(evidence, step);
  const created = evidence.written?.whole && toShown(evidence, evidence.written.whole);
  if (exchange && (exchange.status ?? 0) >= 400)
    return note(`answered ${exchange.status}`, [exchange], 'Such an edit is refused.');
  return exchange && shown && created ? judge(shown, exchange, created) : toUnseen(evidence, step);
}

function judgeMerge(evidence: Evidence): Verdict {
  return compare(evidence, 'edit.flag', (shown, exchange, created) => {
    const kept = createFields.filter((field) => field !== 'bookmarked' && !isEmpty(created[field]));
    const lost = kept.filter((field) => isEmpty(shown[field]));
    if (kept.length === 0) return open('the answer shows no other field');
    if (lost.length === 0) return so(`${kept.length} fields stay`, exchange);
    return fails(
      `${lost.length} of ${kept.length} omitted fields are cleared`,
      [exchange],
      'No file can help: an edit must send every field.',
    );
  });
}

function judgeNull(evidence: Evidence): Verdict {
  return compare(evidence, 'edit.null', ({ description }, exchange) => {
    if (description === undefined) return open('the answer has no description');
    return isEmpty(description)
      ? so('null', exchange)
      : differs('the description stays', [exchange], NO_FILE);
  });
}

function judgeEmpty(evidence: Evidence): Verdict {
  return compare(evidence, 'edit.empty', (shown, exchange) => {
    const lists = (['audiences', 'files', 'interviews'] as const).filter((field) =>
      Array.isArray(shown[field]),
    );
    const full = lists.filter((field) => !isEmpty(shown[field]));
    if (lists.length === 0) return open('the answer has no list');
    return full.length === 0
      ? so(`${lists.length} lists`, exchange)
      : differs(`${quote(full)} stays`, [exchange], NO_FILE);
  });
}

function judgeProgress(evidence: Evidence): Verdict {
  return compare(evidence, 'edit.progress', (shown, exchange) => {
    const { progress } = toPartNames(evidence.learned.names, shown);
    if (!isObject(progress)) return open('the answer has no progress');
    if (progress['total'] !== 9) return differs('`total` stays', [exchange], NO_FILE);
    return isEmpty(progress['completed']) || progress['completed'] === 0
      ? so('the other parts go', exchange)
      : note('the other parts stay', [exchange], 'Clients that send one part change one part.');
  });
}

function judgeUnknownField(evidence: Evidence): Verdict {
  const exchange = find(evidence, 'edit.unknown');
  if (exchange && (exchange.status ?? 0) >= 400) return so(`refused, ${exchange.status}`, exchange);
  if (!exchange || !isSuccess(exchange)) return toUnseen(evidence, 'edit.unknown');
  const isKept = JSON.stringify(exchange.json).includes('studyGatewayProbe');
  return isKept
    ? note('it is stored', [exchange], 'The gateway never sends one.')
    : so('ignored', exchange);
}

function judgeDate(evidence: Evidence): Verdict {
  return compare(evidence, 'edit.date', ({ createdAt }, exchange) => {
    const sent = evidence.written?.sent.get(exchange.number)?.createdAt;
    if (createdAt === undefined) return open('the answer has no such field');
    if (createdAt === sent) return so('6 digits of seconds', exchange);
    const isKept = isValue('createdAt', sent, createdAt);
    return differs(
      isKept ? `another text${toHow(sent, createdAt)}` : 'it stays',
      [exchange],
      NO_FILE,
    );
  });
}

function judgeProblems(evidence: Evidence): Verdict {
  const exchange = find(evidence, 'edit.problems');
  if (exchange && (exchange.status ?? 0) >= 400) return so(`refused, ${exchange.status}`, exchange);
  return compare(evidence, 'edit.problems', ({ problems }, one, created) => {
    const isKept = JSON.stringify(problems) === JSON.stringify(created['problems']);
    return isKept
      ? so('ignored', one)
      : note('it changes them', [one], 'The gateway has no such input.');
  });
}

function judgeNothing(evidence: Evidence): Verdict {
  const previous = show(evidence, 'edit.date') ?? show(evidence, 'edit.empty');
  return compare(evidence, 'edit.nothing', (shown, exchange) => {
    const changed = createFields.filter(
      (field) =>
        field !== 'createdAt' &&
        field !== 'problems' &&
        previous &&
        isEmpty(shown[field]) &&
        !isEmpty(previous[field]),
    );
    return changed.length === 0
      ? so(`answered ${exchange.status}`, exchange)
      : differs(`${quote(changed)} cleared`, [exchange], NO_FILE);
  });
}

function judgeStrategies(evidence: Evidence): Verdict {
  const all = [...strategies, 'other']
    .map((name) => find(evidence, `edit.strategy.${name}`))
    .filter((one) => one !== undefined);
  if (all.length === 0) return toUnseen(evidence, 'edit.flag');
  if (!show(evidence, 'edit.flag')) return open('no edit works', 'edit.exists');
  const toName = ({ step }: Exchange): string => step.replace('edit.strategy.', '');
  const isRefused = (one: Exchange): boolean => {
    const shown = toShown(evidence, one)?.['strategy'];
    const sent = evidence.written?.sent.get(one.number)?.strategy;
    return !isSuccess(one) || (typeof shown === 'string' && shown !== sent);
  };
  const refused = all.filter(isRefused);
  const known = refused.filter((one) => toName(one) !== 'other').map(toName);
  if (known.length > 0) return differs(`${quote(known)} refused`, refused, NO_FILE);
  if (refused.length > 0)
    return note('only the six are accepted', refused, 'Other texts are refused.');
  return so(`${all.length} accepted`, ...all);
}

function judgeReadBack(evidence: Evidence): Verdict {
  const [edited, read] = [show(evidence, 'edit.marker'), show(evidence, 'back.edited')];
  const exchange = find(evidence, 'back.edited');
  if (!edited || !read || !exchange) return open('the study could not be read');
  const changed = findChanged(edited, read);
  if (changed.length === 0) return so('a read shows the same', exchange);
  return differs(`a read shows other values of ${quote(changed)}`, [exchange], NO_FILE);
}

function judgeEtag({ exchanges, written }: Evidence): Verdict {
  const edits = exchanges.filter(({ step }) => step.startsWith('edit.'));
  const refused = edits.filter(({ status = 0 }) => status === 412 || status === 428);
  if (!written || edits.length === 0) return open('no edit was made', 'edit.exists');
  if (refused.length > 0) return fails(`answered ${refused[0]!.status}`, refused, NO_FILE);
  return edits.some(({ headers }) => headers.etag !== undefined)
    ? note('answers have an ETag', edits.slice(0, 1), 'The gateway sends no If-Match.')
    : so('no ETag', edits[0]!);
}
