import { isSuccess } from './ask.js';
import { find, toUnseen, type Evidence } from './evidence.js';
import { readAt, toPlaces, type FieldName } from './fields.js';
import { toNames } from './learn.js';
import {
  findChanged,
  isEmpty,
  missing,
  NO_FILE,
  quote,
  show,
  toHow,
  toPartNames,
  toShown,
} from './shown.js';
import {
  differs,
  fails,
  open,
  questionsOf,
  settle,
  so,
  type Line,
  type Question,
  type Verdict,
} from './verdict.js';

const ofCreate = questionsOf('writing', 'document', 'createStudy');
const ofBoth = questionsOf('writing', 'assumed', 'createStudy', 'editStudy');

/** Questions that creates answer. */
export const createQuestions: readonly Question[] = [
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
];

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
    ? 'No file can help: no answer to a create shows an id that a path can hold.'
    : 'Does the project of --project exist? Else write the contract from the OpenAPI document.';
  return fails(seen, [last], advice);
}

/** Compares the bodies of a yes and of a no that both are a 2xx. */
function judgeYes(evidence: Evidence): Verdict {
  const { exchanges, written, contract, at } = evidence;
  const yes = written?.whole;
  if (!yes) return open('no write was made', 'create.exists');
  const writes = exchanges.filter((one) => one.method !== 'GET' && isSuccess(one));
  // An API that shows a study has taken what it should refuse.
  const others = writes.filter((one) => toShown(evidence, one)?.['id'] !== undefined);
  const no = writes.find((one) => one.step.startsWith('refuse.') && !others.includes(one));
  const { success } = contract.verdicts;
  const [place] = Object.entries(success ?? {});
  if (place && readAt(yes.json, place[0]) === place[1]) return so(`\`${place[0]}\` says yes`, yes);
  if (!no && !place) return so('refusals have other statuses', yes);
  const says = toPlaces(yes.json).filter(([pointer, value]) => {
    const other = readAt(no?.json, pointer);
    const isInside = at !== undefined && at !== '' && pointer.startsWith(at);
    return (
      !isInside &&
      (typeof value === 'boolean' || (typeof value === 'string' && others.length > 1)) &&
      others.every(({ json }) => readAt(json, pointer) === value) &&
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
          differs(
            `values of ${quote(values!)} were refused`,
            exchanges,
            'No file can help: clients must know the values.',
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
  const { naming, names } = toNames(written.settled, {
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

function judgeKeys(evidence: Evidence): Verdict {
  const { written, contract } = evidence;
  const again = find(evidence, 'create.again');
  if (!written?.whole || !again) return open('no create was repeated', 'create.exists');
  const pair = new Set([written.whole.number, again.number]);
  if ([...written.made].some(([number, id]) => id === written.id && !pair.has(number)))
    return fails('creates of two studies show the same id', [written.whole], NO_FILE);
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
