import { isObject, type OperationName } from 'study-gateway-contract';
import { isSuccess, type Exchange } from './ask.js';
import {
  differs,
  fails,
  note,
  open,
  settle,
  type Evidence,
  type Judge,
  type Judges,
  type Verdict,
} from './evidence.js';
import { readAt, toPlaces } from './fields.js';

/** Advice for an answer that cannot be read, by the words of its fault. */
const advices = [
  [
    'another host',
    'Set `STUDY_API_URL` to the final address: the token is never sent to another host.',
  ],
  ['a redirect', 'Set `STUDY_API_URL`, or the path in the contract, to the final address.'],
  ['HTML', 'Check `STUDY_API_URL`: a login page, or the page of a proxy, answers for the API.'],
  ['a body of more', 'Raise `STUDY_API_MAX_ANSWER_BYTES`.'],
  ['no whole answer', 'Raise `STUDY_API_TIMEOUT_MS`.'],
  ['', 'No file can help: the answer must be corrected where it is made.'],
] as const;

/** Mistakes that the probe makes on purpose. */
const wrongs: Readonly<Record<string, string>> = {
  'read.bad-id': 'a malformed id',
  'refuse.unknown': 'an edit of an unknown id',
  'refuse.id': 'an edit of a malformed id',
  'refuse.project': 'a malformed projectId',
  'refuse.flag': 'an object as bookmarked',
};

/** Members of an error in which the gateway looks for a reason. */
const reasons = ['detail', 'message', 'error', 'title', 'errors'];

/** Statements that every answer can tell something about. */
export const httpJudges: Judges = {
  'http.found': ({ exchanges, contract, written }) => {
    const asked = exchanges.filter(
      ({ status, token }) => status !== undefined && token === undefined,
    );
    const isElsewhere = ({ status = 0 }: Exchange): boolean =>
      status === 404 || (status >= 300 && status < 400);
    if (asked.length === 0) return open('no answer');
    if (!asked.every(isElsewhere)) return undefined;
    const redirect = asked.find(({ status }) => status !== 404);
    if (redirect) return open(redirect.fault ?? '', 'http.answer');
    const advice = 'Set `STUDY_API_URL` to the address with its base path, such as `/api/v1`.';
    const { study, studies } = contract.operations;
    if (written || (!study && !studies)) return fails('404 to everything', asked, advice);
    const other = 'If the address is right, the API cannot be read: `--write` tells.';
    return settle('404 to everything that reads', asked, advice, other);
  },
  // One cause, one finding: each fault is named once, for all answers that have it.
  'http.answer': ({ exchanges }) => {
    const answers = exchanges.filter(({ status = 400 }) => status < 400);
    if (answers.length === 0) return open('no answer with success');
    const faulty = answers.filter(({ fault }) => fault !== undefined);
    return [...Map.groupBy(faulty, ({ fault = '' }) => fault)].map(([fault, same]) => {
      const operations = toOperations(same);
      const isWell = toOperations(answers.filter(isSuccess)).some((one) =>
        operations.includes(one),
      );
      const [, advice = ''] = advices.find(([words]) => fault.includes(words)) ?? [];
      const seen = `${fault} in ${same.length} of ${answers.length}`;
      return Object.assign((isWell ? differs : fails)(seen, same, advice), { operations });
    });
  },
  'auth.bearer': ({ exchanges }) => {
    const { own: asked = [], other: others = [] } = Object.groupBy(exchanges, ({ token }) =>
      token === undefined ? 'own' : 'other',
    );
    const refused = asked.filter(({ status }) => status === 401);
    if (refused.length > 0) return fails('answered 401', refused, 'Check `STUDY_API_TOKEN`.');
    if (!asked.some(isSuccess)) return open('no answer with success', 'http.found');
    const isAny = others.length > 0 && others.every(isSuccess);
    return isAny ? open('any token is accepted', 'auth.wrong') : undefined;
  },
  'auth.none': refuses('auth.none', 401),
  'auth.wrong': refuses('auth.wrong', 401),
  'refuse.token': refuses('refuse.token', 401),
  'error.not-found': refuses('read.unknown', 404),
  'error.reason': ({ exchanges, contract: { verdicts } }) => {
    const refused = exchanges.filter(
      ({ status = 0, json }) => [400, 404, 409, 422].includes(status) && json !== undefined,
    );
    if (refused.length === 0) return open('no refusal with a body');
    const others = refused.filter(({ json }) => {
      if (verdicts.reason && typeof readAt(json, verdicts.reason) === 'string') return false;
      return !isObject(json) || reasons.every((name) => json[name] === undefined);
    });
    if (others.length === 0) return undefined;
    const seen = `another form in ${others.length} of ${refused.length}`;
    const [longest] = toPlaces(others[0]?.json)
      .filter(([at, value]) => at !== '' && typeof value === 'string')
      .toSorted(([, one], [, other]) => String(other).length - String(one).length);
    if (!longest) return note(seen, others, 'No file can help: clients do not learn why.');
    return differs(seen, others, { at: '/verdicts/reason', value: longest[0] });
  },
  'error.status': ({ exchanges, contract: { verdicts } }) => {
    const refusals = exchanges.filter(({ step, status }) => step in wrongs && status !== undefined);
    if (refusals.length === 0) return open('not asked');
    // With a place in the body that says no, its own statement judges a 2xx.
    const others = refusals.filter(
      ({ status = 0, fault }) =>
        status >= 500 || (status < 300 && fault === undefined && !verdicts.success),
    );
    const found = [...Map.groupBy(others, ({ status = 0 }) => status)].map(([status, same]) => {
      const seen = `answered ${status} to ${same.map(({ step }) => wrongs[step]).join(', ')}`;
      const isTaken = status < 300;
      const advice = isTaken
        ? 'The API takes what is wrong.'
        : `No file can help: after a ${status} the outcome of a write is UNKNOWN.`;
      const operations = toOperations(same);
      return Object.assign((isTaken ? note : differs)(seen, same, advice), { operations });
    });
    const unlisted = refusals.filter(
      ({ status = 0, method }) =>
        method !== 'GET' &&
        Math.floor(status / 100) === 4 &&
        verdicts.rejected?.includes(status) === false,
    );
    if (unlisted.length === 0) return found;
    const statuses = [...new Set(unlisted.map(({ status }) => status))];
    const line = { at: '/verdicts/rejected', value: [...(verdicts.rejected ?? []), ...statuses] };
    return [...found, differs(`answered ${statuses.join(', ')}`, unlisted, line)];
  },
};

function toOperations(exchanges: readonly Exchange[]): OperationName[] {
  const operations = exchanges.map(({ step, method }) => {
    if (method !== 'GET') return method === 'POST' ? 'createStudy' : 'editStudy';
    return /^list|search$/.test(step) ? 'studies' : 'study';
  });
  return [...new Set(operations)];
}

/** Returns a judge of a step that the API should answer with this status. */
function refuses(step: string, expected: 401 | 404): Judge {
  return ({ find, unseen, exchanges }: Evidence): Verdict | undefined => {
    const exchange = find(step);
    const { status = 0, fault, method } = exchange ?? {};
    if (!exchange || status === 0 || status === 405 || (status < 400 && fault !== undefined))
      return unseen(step);
    const seen = `answered ${status}`;
    if (status === expected)
      return exchanges.some(isSuccess) || expected === 401 ? undefined : open(seen, 'http.found');
    if (expected === 404)
      return differs(seen, [exchange], 'No file can help: `study` is an error in place of `null`.');
    if (status === 403)
      return note(seen, [exchange], 'Clients get FORBIDDEN in place of UNAUTHENTICATED.');
    if (status >= 300 && method === 'PATCH') return open(`${seen}: the id is looked up first`);
    const advice = isSuccess(exchange)
      ? 'No file can help: the API must check the token.'
      : 'No file can help: clients cannot tell that they need a new token.';
    return differs(seen, [exchange], advice);
  };
}
