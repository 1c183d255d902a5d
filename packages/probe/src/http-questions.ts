import { isSuccess, type Exchange } from './ask.js';
import { find, toUnseen, type Evidence } from './evidence.js';
import { isObject, readAt, toPlaces, type OperationName } from './fields.js';
import {
  differs,
  fails,
  note,
  open,
  questionsOf,
  settle,
  so,
  type Question,
  type Verdict,
} from './verdict.js';

const ofAll = questionsOf('reading', 'document', 'createStudy', 'editStudy', 'study', 'studies');
const ofReads = questionsOf('reading', 'assumed', 'study', 'studies');
const ofEdits = questionsOf('writing', 'assumed', 'editStudy');

/** Questions that every answer can tell something about. */
export const httpQuestions: readonly Question[] = [
  ofAll('http.found', 'The operations are below the address in `STUDY_API_URL`.', judgeFound),
  ofAll('http.answer', 'An answer with success is one whole JSON text.', judgeAnswers),
  ofAll('auth.bearer', 'The API accepts the token in `Authorization: Bearer`.', judgeToken),
  ofReads('auth.none', 'A read without a token is answered 401.', judgeRefusal('auth.none')),
  ofReads('auth.wrong', 'A read with a wrong token is answered 401.', judgeRefusal('auth.wrong')),
  ofEdits(
    'refuse.token',
    'An edit with a wrong token is answered 401.',
    judgeRefusal('refuse.token'),
  ),
  ofAll(
    'error.reason',
    'A refusal says why in a form that the gateway reads.',
    judgeReason,
    '/verdicts/reason',
  ),
  ofAll('error.status', 'What is wrong is refused with a 4xx.', judgeStatuses, '/verdicts'),
];

function judgeFound({ exchanges, contract, written }: Evidence): Verdict {
  const asked = exchanges.filter(
    ({ status, step }) => status !== undefined && !step.startsWith('auth.'),
  );
  const [first] = asked;
  if (!first) return open('no answer');
  const isElsewhere = ({ status = 0 }: Exchange): boolean =>
    status === 404 || (status >= 300 && status < 400);
  if (!asked.every(isElsewhere)) return so(`${asked.length} requests`);
  if (asked.some(({ status }) => status !== 404)) return open(first.fault ?? '', 'http.answer');
  const advice = 'Set `STUDY_API_URL` to the address with its base path, such as `/api/v1`.';
  const { study, studies } = contract.operations;
  if (written || (!study && !studies)) return fails('404 to everything', asked, advice);
  const else_ = 'If the address is right, the API cannot be read: `--write` tells.';
  return settle('404 to everything that reads', asked, advice, else_);
}

function toOperation({ step, method }: Exchange): OperationName {
  if (method !== 'GET') return method === 'POST' ? 'createStudy' : 'editStudy';
  return step.startsWith('list') || step === 'create.search' ? 'studies' : 'study';
}

/** One cause, one finding: each fault is named once, for all answers that have it. */
function judgeAnswers({ exchanges }: Evidence): Verdict | readonly Verdict[] {
  const answers = exchanges.filter(({ status = 400 }) => status < 400);
  const faulty = answers.filter(({ fault }) => fault !== undefined);
  if (answers.length === 0) return open('no answer with success');
  if (faulty.length === 0) return so(`${answers.length} answers`);
  return [...Map.groupBy(faulty, ({ fault = '' }) => fault)].map(([fault, same]) => {
    const operations = [...new Set(same.map(toOperation))];
    const isWell = answers.some((one) => isSuccess(one) && operations.includes(toOperation(one)));
    const finding = isWell ? differs : fails;
    const seen = `${fault} in ${same.length} of ${answers.length}`;
    return Object.assign(finding(seen, same, toAdvice(fault)), { operations });
  });
}

function toAdvice(fault: string): string {
  if (fault.includes('another host'))
    return 'Set `STUDY_API_URL` to the final address: the token is never sent to another host.';
  if (fault.startsWith('a redirect'))
    return 'Set `STUDY_API_URL`, or the path of the operation in the contract, to the final address.';
  if (fault.includes('HTML'))
    return 'Check `STUDY_API_URL`: a login page, or the page of a proxy, answers for the API.';
  if (fault.startsWith('a body of more')) return 'Raise `STUDY_API_MAX_ANSWER_BYTES`.';
  if (fault.startsWith('no whole answer')) return 'Raise `STUDY_API_TIMEOUT_MS`.';
  return 'No file can help: the answer must be corrected where it is made.';
}

function judgeToken(evidence: Evidence): Verdict {
  const asked = evidence.exchanges.filter(({ token }) => token === undefined);
  const refused = asked.filter(({ status }) => status === 401);
  if (refused.length > 0) return fails('answered 401', refused, 'Check `STUDY_API_TOKEN`.');
  const accepted = asked.filter(isSuccess);
  if (accepted.length === 0) return open('no answer with success', 'http.found');
  const others = evidence.exchanges.filter(({ token }) => token !== undefined);
  const isChecked = others.length === 0 || !others.every(isSuccess);
  return isChecked ? so(`${accepted.length} answers`) : open('any token is accepted', 'auth.wrong');
}

function judgeRefusal(step: string) {
  return (evidence: Evidence): Verdict => {
    const exchange = find(evidence, step);
    if (exchange?.status === undefined) return toUnseen(evidence, step);
    const seen = `answered ${exchange.status}`;
    if (exchange.status === 401) return so(seen, exchange);
    if (exchange.status === 403)
      return note(seen, [exchange], 'Clients get FORBIDDEN in place of UNAUTHENTICATED.');
    if (exchange.status < 400 && exchange.fault !== undefined) return toUnseen(evidence, step);
    if (isSuccess(exchange))
      return differs(seen, [exchange], 'No file can help: the API must check the token.');
    if (exchange.method === 'PATCH') return open(`${seen}: the id is looked up first`);
    const advice = 'No file can help: clients cannot tell that they need a new token.';
    return differs(seen, [exchange], advice);
  };
}

/** Members of an error in which the gateway looks for a reason. */
const reasons = ['detail', 'message', 'error', 'title', 'errors'];

function judgeReason({ exchanges, contract }: Evidence): Verdict {
  const { reason } = contract.verdicts;
  const refused = exchanges.filter(
    ({ status = 0, json }) => [400, 404, 409, 422].includes(status) && json !== undefined,
  );
  if (refused.length === 0) return open('no refusal with a body');
  const others = refused.filter(({ json }) => {
    if (reason !== undefined && typeof readAt(json, reason) === 'string') return false;
    return !isObject(json) || reasons.every((name) => json[name] === undefined);
  });
  if (others.length === 0) return so(`${refused.length} refusals`);
  const seen = `another form in ${others.length} of ${refused.length}`;
  const [longest] = toPlaces(others[0]!.json)
    .flatMap(([at, value]) => (at !== '' && typeof value === 'string' ? [{ at, value }] : []))
    .toSorted((one, other) => other.value.length - one.value.length);
  if (!longest) return note(seen, others, 'No file can help: clients do not learn why.');
  return differs(seen, others, { at: '/verdicts/reason', value: longest.at });
}

const wrongs: Readonly<Record<string, string>> = {
  'read.bad-id': 'a malformed id',
  'refuse.unknown': 'an edit of an unknown id',
  'refuse.id': 'an edit of a malformed id',
  'refuse.project': 'a malformed projectId',
  'refuse.flag': 'an object as bookmarked',
};

/** Judges the answers to what is wrong on purpose. */
function judgeStatuses({ exchanges, contract }: Evidence): Verdict | readonly Verdict[] {
  const refusals = exchanges.filter(({ step, status }) => step in wrongs && status !== undefined);
  const others = refusals.filter(
    ({ status = 0, fault }) => status >= 500 || (status < 300 && fault === undefined),
  );
  const { rejected, success } = contract.verdicts;
  const unlisted = new Set(
    refusals.flatMap(({ status = 0, method }) =>
      method !== 'GET' && status >= 400 && status < 500 && rejected?.includes(status) === false
        ? [status]
        : [],
    ),
  );
  const list = { at: '/verdicts/rejected', value: [...(rejected ?? []), ...unlisted] };
  const verdicts = [...Map.groupBy(others, ({ status = 0 }) => status)].flatMap(
    ([status, same]): Verdict[] => {
      // The place in the body says no, and its own question judges it.
      if (status < 300 && success) return [];
      const seen = `answered ${status} to ${same.map(({ step }) => wrongs[step]).join(', ')}`;
      const operations = [...new Set(same.map(toOperation))];
      if (status < 300)
        return [{ ...note(seen, same, 'The API takes what is wrong.'), operations }];
      const advice = `No file can help: after a ${status} the outcome of a write is UNKNOWN.`;
      return [{ ...differs(seen, same, advice), operations }];
    },
  );
  if (unlisted.size > 0)
    verdicts.push(differs(`answered ${[...unlisted].join(', ')}`, refusals, list));
  if (verdicts.length > 0) return verdicts;
  return refusals.length > 0 ? so(`${refusals.length} refusals`) : open('not asked');
}
