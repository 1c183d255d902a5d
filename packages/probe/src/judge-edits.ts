import { isObject, requestNames, type JsonObject } from 'study-gateway-contract';
import { isSuccess, type Exchange } from './ask.js';
import {
  differs,
  fails,
  isMissing,
  NO_FILE,
  note,
  open,
  type Judge,
  type Judges,
} from './evidence.js';
import { isEmpty, quote } from './fields.js';
import { judgeRequired, judgeTaken, toUnlike } from './judge-creates.js';
import { compare } from './learn.js';

/** Statements that edits tell something about. */
export const editJudges: Judges = {
  'edit.exists': (evidence) => {
    const { written, contract, learned, find, show, unseen } = evidence;
    const [flag, whole, unknown] = ['edit.flag', 'edit.whole', 'refuse.unknown'].map(find);
    const edit = whole && isSuccess(whole) && flag && !isSuccess(flag) ? whole : flag;
    const isUnknownEdited = show(unknown)?.['id'] !== undefined;
    const line = { at: '/operations/editStudy', value: false };
    if (!edit || !contract.operations.editStudy) {
      if (unknown?.status === 405) return differs('answered 405', [unknown], line);
      if (unknown && isUnknownEdited) return fails('an unknown id is edited', [unknown], NO_FILE);
      return unseen('edit.flag');
    }
    const { status = 500, fault } = edit;
    if (fault !== undefined && status < 400) return open(fault, 'http.answer');
    if (!isSuccess(edit)) {
      const isRead = show(find('back.created')) !== undefined;
      const isGone = isMissing(evidence, edit, 'refuse.id') && (status !== 404 || isRead);
      return (isGone ? differs : fails)(`answered ${status}`, [edit], isGone ? line : NO_FILE);
    }
    const { id, bookmarked } = show(edit) ?? {};
    const advice = 'No file can help: such an edit proves nothing.';
    if (id === undefined) return fails('no id in the answer', [edit], advice);
    const made = written?.whole?.made;
    if (id !== made && Number(id) !== Number(made))
      return fails('another id in the answer', [edit], advice);
    if (edit === flag && learned.names.has('bookmarked') && bookmarked === true)
      return differs('the edit is not made', [edit], NO_FILE);
    return unknown && isUnknownEdited
      ? differs('an unknown id is edited too', [unknown], NO_FILE)
      : undefined;
  },
  'edit.required': (evidence) => {
    const flag = evidence.find('edit.flag');
    return flag
      ? judgeRequired(evidence, 'editStudy', [flag])
      : open('no edit was made', 'edit.exists');
  },
  // What a create has lost or changed already is its own finding.
  'edit.fields': (evidence) => {
    const { find, show, whole } = evidence;
    const edit = find('edit.whole');
    if (!edit) return open('no edit was made', 'edit.exists');
    const created = compare(whole.sent ?? {}, show(whole) ?? {});
    const taken = judgeTaken(evidence, 'editStudy', [edit]);
    const unlike = toUnlike(
      edit.sent,
      show(edit) ?? {},
      edit,
      (field, how) => created.get(field) === how,
    );
    if (isSuccess(edit) || taken.length > 0) return [...taken, ...unlike];
    return note(`answered ${edit.status}`, [edit], 'Such an edit is refused.');
  },
  'edit.merge': judgeOne('edit.flag', fails, (_, shown, created) => {
    const kept = requestNames.createStudy.filter(
      (field) => field !== 'bookmarked' && !isEmpty(created[field]),
    );
    const lost = kept.filter((field) => isEmpty(shown[field]));
    return lost.length > 0 && `${lost.length} of ${kept.length} omitted fields are cleared`;
  }),
  // An API may refuse `null` before it looks for the study.
  'edit.null': (evidence) => {
    const unknown = evidence.find('refuse.unknown');
    if (evidence.written?.whole) return judgeOne('edit.null', differs, findUnlike)(evidence);
    if (!unknown || !JSON.stringify(unknown.json ?? '').includes('description'))
      return open('no create was made', 'create.exists');
    return note(`answered ${unknown.status}`, [unknown], 'Such an edit is refused.');
  },
  'edit.empty': judgeOne('edit.empty', differs, findUnlike),
  'edit.progress': judgeOne('edit.progress', note, (_, { progress }) => {
    const parts = isObject(progress) ? Object.values(progress).filter(Boolean) : [];
    if (parts.length > 0 && !parts.includes(9)) return 'the part stays that was sent';
    return parts.length > 1 && 'the other parts stay';
  }),
  'edit.unknown': judgeOne(
    'edit.unknown',
    note,
    ({ json }) => JSON.stringify(json).includes('studyGatewayProbe') && 'it is stored',
  ),
  'edit.strategies': ({ exchanges, find, show }) => {
    const asked = exchanges.filter(({ step }) => step.startsWith('edit.strategy.'));
    if (asked.length === 0 || !show(find('edit.flag'))) return open('no edit works', 'edit.exists');
    const refused = asked.filter((one) => {
      const shown = show(one)?.['strategy'];
      return !isSuccess(one) || (typeof shown === 'string' && shown !== one.sent?.['strategy']);
    });
    const names = refused.map(({ step }) => step.replace('edit.strategy.', ''));
    if (names.some((name) => name !== 'other'))
      return differs(`${quote(names)} refused`, refused, NO_FILE);
    if (refused.length === 0) return undefined;
    return note('other texts are refused', refused, 'Clients must know it.');
  },
  'edit.stored': ({ exchanges, find, show }) => {
    const read = find('back.edited');
    const [edited, shown] = [exchanges.findLast(isEdit), read].map(show);
    if (!edited || !shown || !read) return open('the study could not be read', 'read.exists');
    const changed = [...compare(edited, shown).keys()];
    const seen = `a read shows other values of ${quote(changed)}`;
    return changed.length > 0 ? differs(seen, [read], NO_FILE) : undefined;
  },
  'edit.etag': ({ exchanges }) => {
    const edited = exchanges.filter(({ step }) => step.startsWith('edit.'));
    const refused = edited.filter(({ status = 0 }) => status === 412 || status === 428);
    if (edited.length === 0) return open('no edit was made', 'edit.exists');
    if (refused.length > 0) return fails(`answered ${refused[0]?.status}`, refused, NO_FILE);
    if (edited.every(({ headers }) => headers.etag === undefined)) return undefined;
    return note('answers have an ETag', edited.slice(0, 1), 'The gateway sends no If-Match.');
  },
};

/** Returns whether this is an edit before the last one, which restores the marker. */
function isEdit(exchange: Exchange): boolean {
  return /^edit\.(?!marker)/.test(exchange.step) && isSuccess(exchange);
}

type FindFault = (exchange: Exchange, shown: JsonObject, created: JsonObject) => string | false;

/** Returns a judge of one edit. `findFault` says what the answer shows, if it is not what was sent. */
function judgeOne(step: string, finding: typeof note, findFault: FindFault): Judge {
  return ({ find, show, whole, unseen }) => {
    const exchange = find(step);
    const { status = 0 } = exchange ?? {};
    if (exchange && status >= 400 && step !== 'edit.unknown')
      return note(`answered ${status}`, [exchange], 'Such an edit is refused.');
    const [shown, created] = [exchange, whole].map(show);
    if (!exchange || !shown || !created) return status >= 400 ? undefined : unseen(step);
    const fault = findFault(exchange, shown, created);
    return fault === false ? undefined : finding(fault, [exchange], NO_FILE);
  };
}

function findUnlike({ sent = {} }: Exchange, shown: JsonObject): string | false {
  const unlike = [...compare(sent, shown)].map(([field, how]) => `${quote([field])}: ${how}`);
  return unlike.length > 0 && unlike.join(', ');
}
