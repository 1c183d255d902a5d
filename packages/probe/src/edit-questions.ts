import { isSuccess, type Exchange } from './ask.js';
import { find, toUnseen, type Evidence } from './evidence.js';
import { createFields, isObject, type FieldName, type JsonObject } from './fields.js';
import { isValue } from './learn.js';
import { readMentions } from './refusal.js';
import { findChanged, isEmpty, isMissing, NO_FILE, quote, show, toHow, toShown } from './shown.js';
import {
  differs,
  fails,
  note,
  open,
  questionsOf,
  so,
  type Question,
  type Verdict,
} from './verdict.js';

const ofEdit = questionsOf('writing', 'document', 'editStudy');

/** Questions that edits answer. */
export const editQuestions: readonly Question[] = [
  ofEdit(
    'edit.exists',
    '`PATCH /studies/{study_id}` edits a study and answers with it.',
    judgeEdit,
    '/operations/editStudy',
  ),
  ofEdit(
    'edit.merge',
    'An edit leaves omitted fields as they are.',
    judgeOne('edit.flag', fails, findCleared),
  ),
  ofEdit(
    'edit.null',
    '`null` clears a field.',
    judgeOne('edit.null', differs, ({ description }) =>
      isEmpty(description) ? undefined : 'the description stays',
    ),
  ),
  ofEdit('edit.empty', 'An empty array clears a list.', judgeOne('edit.empty', differs, findFull)),
  ofEdit(
    'edit.progress',
    'A `progress` replaces the whole progress.',
    judgeOne('edit.progress', note, findParts),
  ),
  ofEdit(
    'edit.unknown',
    'An unknown field is not stored.',
    judgeOne('edit.unknown', note, (shown, created, sent, { json }) =>
      JSON.stringify(json).includes('studyGatewayProbe') ? 'it is stored' : undefined,
    ),
  ),
  ofEdit(
    'edit.date',
    'The API gives back `createdAt` as it was sent.',
    judgeOne('edit.date', differs, findDate),
  ),
  ofEdit('edit.strategies', 'The six strategies and other texts are accepted.', judgeStrategies),
  ofEdit('edit.stored', 'What an edit answers is stored.', judgeReadBack),
  ofEdit('edit.etag', 'An edit needs no `If-Match`.', judgeEtag),
];

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
  const isRead = show(evidence, 'back.created') !== undefined;
  if (edit.fault !== undefined && (edit.status ?? 500) < 400)
    return open(edit.fault, 'http.answer');
  if (!isSuccess(edit))
    return isMissing(evidence, edit, 'refuse.id') && (edit.status !== 404 || isRead)
      ? differs(seen, [edit], line)
      : fails(seen, [edit], NO_FILE);
  const shown = toShown(evidence, edit);
  if (
    shown?.['id'] === undefined ||
    (shown['id'] !== written.id && Number(shown['id']) !== Number(written.id))
  )
    return fails(
      `${shown?.['id'] === undefined ? 'no' : 'another'} id in the answer`,
      [edit],
      'No file can help: such an edit proves nothing.',
    );
  if (learned.names.has('bookmarked') && shown.bookmarked === true)
    return differs('the edit is not made', [edit], NO_FILE);
  if (unknown && show(evidence, 'refuse.unknown')?.['id'] !== undefined)
    return differs('an unknown id is edited too', [unknown], NO_FILE);
  return so(seen, edit);
}

/** Returns a judge of one edit. `toFault` says what the answer shows; `undefined` if it shows what was sent. */
function judgeOne(
  step: string,
  finding: typeof note,
  toFault: (
    shown: JsonObject,
    created: JsonObject,
    sent: JsonObject,
    exchange: Exchange,
  ) => string | undefined,
) {
  return (evidence: Evidence): Verdict => {
    const { written } = evidence;
    const exchange = find(evidence, step);
    const seen = `answered ${exchange?.status}`;
    if (exchange && isRefused(exchange)) {
      if (step === 'edit.unknown') return so(seen, exchange);
      const names = findNames(evidence, [exchange]);
      if (names.length === 0) return note(seen, [exchange], 'Such an edit is refused.');
      const { absent } = evidence.contract.request;
      const value = [...absent.editStudy, ...findNames(evidence, evidence.exchanges)];
      const line = { at: '/request/absent/editStudy', value };
      return differs(`${quote(names)} refused by name`, [exchange], line);
    }
    const shown = show(evidence, step);
    const created = written?.whole && toShown(evidence, written.whole);
    if (!exchange || !shown || !created) return toUnseen(evidence, step);
    const sent = written?.sent.get(exchange.number) ?? {};
    const fault = toFault(shown, created, sent, exchange);
    return fault === undefined ? so(seen, exchange) : finding(fault, [exchange], NO_FILE);
  };
}

function isRefused({ status = 0 }: Exchange): boolean {
  return status >= 400;
}

/** Returns the fields that edits refuse by name. */
function findNames({ written }: Evidence, exchanges: readonly Exchange[]): FieldName[] {
  const refused = exchanges.filter((one) => one.step.startsWith('edit.') && isRefused(one));
  const mentions = refused.flatMap(({ json, number }) =>
    readMentions(json, written!.names).filter(
      ({ field, means }) => means === 'name' && written?.sent.get(number)?.[field] !== undefined,
    ),
  );
  return [...new Set(mentions.map(({ field }) => field))];
}

function findCleared(shown: JsonObject, created: JsonObject): string | undefined {
  const kept = createFields.filter((field) => field !== 'bookmarked' && !isEmpty(created[field]));
  const lost = kept.filter((field) => isEmpty(shown[field]));
  return lost.length > 0
    ? `${lost.length} of ${kept.length} omitted fields are cleared`
    : undefined;
}

function findFull(shown: JsonObject): string | undefined {
  const lists = ['audiences', 'files', 'interviews'] as const;
  const full = lists.filter((field) => Array.isArray(shown[field]) && !isEmpty(shown[field]));
  return full.length > 0 ? `${quote(full)} stays` : undefined;
}

function findParts({ progress }: JsonObject): string | undefined {
  const parts = isObject(progress) ? Object.values(progress) : [];
  if (parts.length > 0 && !parts.includes(9)) return 'the part stays that was sent';
  return parts.filter((part) => part !== null && part !== 0).length > 1
    ? 'the other parts stay'
    : undefined;
}

function findDate(shown: JsonObject, _: JsonObject, sent: JsonObject): string | undefined {
  const [before, after] = [sent['createdAt'], shown['createdAt']];
  if (after === undefined || after === before) return undefined;
  return isValue('createdAt', before, after) ? `another text${toHow(before, after)}` : 'it stays';
}

function judgeStrategies(evidence: Evidence): Verdict {
  if (!show(evidence, 'edit.flag')) return open('no edit works', 'edit.exists');
  const prefix = 'edit.strategy.';
  const asked = evidence.exchanges.filter(({ step }) => step.startsWith(prefix));
  const refused = asked.filter((one) => {
    const shown = toShown(evidence, one)?.['strategy'];
    const sent = evidence.written?.sent.get(one.number)?.strategy;
    return !isSuccess(one) || (typeof shown === 'string' && shown !== sent);
  });
  const names = refused.map(({ step }) => step.slice(prefix.length));
  if (names.some((name) => name !== 'other'))
    return differs(`${quote(names)} refused`, refused, NO_FILE);
  if (refused.length > 0) return note('other texts are refused', refused, 'Clients must know it.');
  return asked.length > 0 ? so(`${asked.length} accepted`, ...asked) : toUnseen(evidence, prefix);
}

function judgeReadBack(evidence: Evidence): Verdict {
  const [exchange, read] = [find(evidence, 'back.edited'), show(evidence, 'back.edited')];
  const last = evidence.exchanges.findLast(
    (one) => one.step.startsWith('edit.') && one.step !== 'edit.marker' && isSuccess(one),
  );
  const edited = last && toShown(evidence, last);
  if (!edited || !read || !exchange) return open('the study could not be read', 'read.exists');
  const changed = findChanged(edited, read);
  if (changed.length === 0) return so('a read shows the same', exchange);
  return differs(`a read shows other values of ${quote(changed)}`, [exchange], NO_FILE);
}

function judgeEtag({ exchanges }: Evidence): Verdict {
  const edits = exchanges.filter(({ step }) => step.startsWith('edit.'));
  const refused = edits.filter(({ status = 0 }) => status === 412 || status === 428);
  const [first] = edits;
  if (!first) return open('no edit was made', 'edit.exists');
  if (refused.length > 0) return fails(`answered ${refused[0]!.status}`, refused, NO_FILE);
  if (edits.every(({ headers }) => headers.etag === undefined)) return so('no ETag', first);
  return note('answers have an ETag', [first], 'The gateway sends no If-Match.');
}
