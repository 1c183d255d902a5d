import {
  isSuccess,
  toAnswers,
  type Evidence,
  type Observation,
  type StudyFacts,
} from './observation.js';
import {
  confirmed,
  judge,
  judgeAnswers,
  refuted,
  toReason,
  toStatus,
  unknown,
  type Assumption,
  type Refutation,
  type Verdict,
} from './verdict.js';

/** Assumptions about `GET /studies/{study_id}`. */
export const readAssumptions: readonly Assumption[] = [
  {
    id: 'read.exists',
    claim: '`GET /studies/{study_id}` reads a study.',
    source: 'reference',
    place: 'study/study.api.ts',
    consequence:
      '`study` returns `null` or fails for every id; `createStudy` and `editStudy` work.',
    change:
      'Remove `study` from study/study.resolver.ts, or send the request that the API offers instead.',
    check: judgeExistence,
  },
  {
    id: 'read.object',
    claim: 'The answer to a read is one JSON object: the study.',
    source: 'document',
    place: 'rest-outcome/client.ts',
    needs: 'http.encoding',
    consequence:
      'The operation fails with `UPSTREAM_CONTRACT`; the outcome of a write is `APPLIED`.',
    change: 'Unwrap the study in study/study.api.ts.',
    check: judgeAnswers('read', ({ type }) => {
      if (type === 'nothing') return 'no JSON';
      return type === 'an object' ? undefined : type;
    }),
  },
  {
    id: 'read.own-id',
    claim: 'The answer to a read has the `id` of the request.',
    source: 'assumed',
    place: 'study/study.api.ts',
    consequence: '`study` and `editStudy` fail with `UPSTREAM_CONTRACT`; no other study is shown.',
    change:
      'Nothing, if the other study is the wrong one; otherwise `readStudyId` of study/study.wire.ts.',
    check: (evidence) =>
      judge(
        toAnswers(evidence, 'read').filter(({ studies: [study] }) => study?.id !== undefined),
        ({ asked, studies: [study] }) => (asked === study!.id ? undefined : 'another id'),
        toReason(evidence, 'read'),
      ),
  },
];

const place = 'study/study-page.ts';
const wrongPage: Refutation = {
  consequence:
    '`studies` with this argument fails with `UPSTREAM_CONTRACT`, instead of returning a wrong page.',
  change: 'Send the parameter that the API expects in study/study-page.ts.',
};

/** Assumptions about `GET /studies`. */
export const listAssumptions: readonly Assumption[] = [
  {
    id: 'list.exists',
    claim: '`GET /studies` lists studies.',
    source: 'reference',
    place: 'study/study.api.ts',
    consequence: '`studies` always fails; everything else works.',
    change: 'Remove `studies` from study/study.resolver.ts.',
    check: judgeList,
  },
  {
    id: 'list.page',
    claim: 'A list is an object with `items`, `total`, `page`, `size` and `pages`.',
    source: 'inferred',
    place,
    needs: 'http.encoding',
    consequence:
      '`studies` fails with `UPSTREAM_CONTRACT` if there are no `items`. A bare array is read as the first page; a missing number is `null`.',
    change: 'Parse the format in study/study-page.ts.',
    check: judgeAnswers(
      'list',
      ({ type, page }) => {
        if (!page) return type === 'nothing' ? 'no JSON' : type;
        const faults = [...page.types].flatMap(([name, part]) => {
          if (part === (name === 'items' ? 'an array' : 'a number')) return [];
          return `\`${name}\` ${part === 'nothing' ? 'missing' : part}`;
        });
        return faults.join(' and ') || undefined;
      },
      'list.first',
      'list.second',
    ),
  },
  {
    id: 'list.items',
    claim: 'A study in the list has the same fields as when it is read by id.',
    source: 'inferred',
    place,
    consequence:
      'A field that is missing in the list is `null`, or an error if the schema requires the field.',
    change: 'Define a type with only the fields of the list in study/study.type.ts.',
    check: judgeItems,
  },
  {
    id: 'list.default',
    claim: 'Without `page` and `size`, the list is the first page of at most 50 studies.',
    source: 'inferred',
    place,
    consequence:
      'No effect, except that `MAX_LISTED_STUDIES` counts 50 studies for a list without `size`.',
    change: 'Correct `DEFAULT_PAGE_SIZE` in study/study-page.ts.',
    check: judgeAnswers('list', ({ studies, page }) => {
      if (page?.page === 'another' || page?.size === 'another') return 'another `page` or `size`';
      return studies.length > 50 ? 'more than 50 items' : undefined;
    }),
  },
  {
    id: 'list.size',
    claim: '`size` limits the number of studies on a page.',
    source: 'inferred',
    place,
    ...wrongPage,
    check: judgeSize,
  },
  {
    id: 'list.page-number',
    claim: '`page` selects the page; the first page is 1.',
    source: 'inferred',
    place,
    needs: 'list.size',
    ...wrongPage,
    consequence:
      'If the answer has another `page`, `studies` fails with `UPSTREAM_CONTRACT`; otherwise clients get the wrong page.',
    check: judgePageNumber,
  },
  {
    id: 'list.project',
    claim: '`projectId` restricts the list to the studies of one project.',
    source: 'inferred',
    place,
    ...wrongPage,
    check: judgeProject,
  },
  {
    id: 'list.projects',
    claim: '`projectId` accepts several ids, separated by commas.',
    source: 'inferred',
    place,
    needs: 'list.project',
    ...wrongPage,
    consequence: '`studies` of several projects fails, or returns too few studies.',
    check: judgeProjects,
  },
];

/** Judges whether studies can be read by id. A 404 refutes this only for a study that the list has shown. */
function judgeExistence(evidence: Evidence): Verdict {
  const reads = evidence.observations.filter(({ step }) => step === 'read');
  const found = reads.filter(isSuccess);
  if (found.length > 0) return confirmed(`${found.length} of ${reads.length}`, ...found);
  const listed = new Set(
    toAnswers(evidence, 'list').flatMap(({ studies }) => studies.map(({ id }) => id)),
  );
  const missing = reads.filter(
    ({ status, asked }) => status === 405 || (status === 404 && listed.has(asked)),
  );
  if (missing.length === 0) return unknown(toReason(evidence, 'read'));
  return refuted(`${toStatus(missing[0]!)} in ${missing.length} of ${reads.length}`, ...missing);
}

function find({ observations }: Evidence, step: string): Observation | undefined {
  return observations.find((one) => one.step === step);
}

/** Judges whether the list exists. A 403 refutes nothing, because another token may have access. */
function judgeList(evidence: Evidence): Verdict {
  const list = find(evidence, 'list');
  if (list?.status !== 404 && list?.status !== 405)
    return judgeAnswers('list', () => undefined)(evidence);
  return refuted(toStatus(list), list);
}

/** Compares each study in the list with the same study read by id. */
function judgeItems(evidence: Evidence): Verdict {
  const reads = toAnswers(evidence, 'read').flatMap(({ studies }) => studies);
  const both = toAnswers(evidence, 'list').flatMap(({ number, studies }) =>
    studies.flatMap((item) => {
      const read = reads.find(({ id }) => id !== undefined && id === item.id);
      return read ? [{ number, item, read }] : [];
    }),
  );
  return judge(both, findLacking, 'no study was both listed and read');
}

function findLacking({ item, read }: Record<'item' | 'read', StudyFacts>): string | undefined {
  const names = [...read.fields.keys()].filter(
    (name) =>
      item.fields.get(name)?.type === 'nothing' && read.fields.get(name)?.type !== 'nothing',
  );
  return names.length > 0 ? `no \`${names.join('`, `')}\`` : undefined;
}

/** Returns true if the list has at least two studies, so that pages of size 1 must differ. */
function hasTwo(evidence: Evidence): boolean {
  return toAnswers(evidence, 'list').some(({ studies }) => studies.length > 1);
}

function judgeSize(evidence: Evidence): Verdict {
  const [first] = toAnswers(evidence, 'list.first');
  if (!first) return toRefused(evidence, 'list.first');
  const { studies, page } = first;
  if (studies.length > 1) return refuted(`${studies.length} studies with \`size=1\``, first);
  if (page?.size === 'another') return refuted('another `size` in the answer', first);
  if (studies.length === 1 && hasTwo(evidence)) return confirmed('1 study with `size=1`', first);
  return page?.size === 'as asked'
    ? confirmed('`size` is 1 in the answer', first)
    : unknown('too few studies to tell');
}

function judgePageNumber(evidence: Evidence): Verdict {
  const [first] = toAnswers(evidence, 'list.first');
  const [second] = toAnswers(evidence, 'list.second');
  if (!first || !second) return toRefused(evidence, 'list.second');
  if (second.page?.page === 'another') return refuted('another `page` in the answer', second);
  const [one] = first.studies;
  const [two] = second.studies;
  if (hasTwo(evidence) && !two) return refuted('no study on page 2', second);
  if (one?.id !== undefined && one.id === two?.id)
    return refuted('the same study on pages 1 and 2', second);
  if (one?.id !== undefined && two?.id !== undefined)
    return confirmed('another study on page 2', first, second);
  return second.page?.page === 'as asked'
    ? confirmed('`page` is 2 in the answer', second)
    : unknown('too few studies to tell');
}

/** Judges the lists of two projects: one that has studies, and one that does not exist. */
function judgeProject(evidence: Evidence): Verdict {
  const known = find(evidence, 'list.project');
  const stranger = find(evidence, 'list.stranger');
  if (!known || !stranger) return unknown(toReason(evidence, 'list.project'));
  const others = stranger.studies.length;
  if (others > 0) return refuted(`${others} studies of a project that does not exist`, stranger);
  const [ofProject] = toAnswers(evidence, 'list.project');
  if (!ofProject) return toRefused(evidence, 'list.project');
  if (ofProject.studies.length === 0) return refuted('no study of a project that has one', known);
  const foreign = ofProject.studies.filter(({ projectId }) => projectId !== ofProject.asked);
  return foreign.length > 0
    ? refuted(`another project in ${foreign.length} of ${ofProject.studies.length}`, known)
    : confirmed(`${ofProject.studies.length} of ${ofProject.studies.length}`, known, stranger);
}

/** Judges the list of two projects of which only one exists: it must be as long as the list of that project alone. */
function judgeProjects(evidence: Evidence): Verdict {
  const [alone] = toAnswers(evidence, 'list.project');
  const [both] = toAnswers(evidence, 'list.projects');
  if (!alone || !both) return toRefused(evidence, 'list.projects');
  const [expected, received] = [alone, both].map(({ studies }) => studies.length);
  if (expected === received) return confirmed(`${received} of ${expected}`, both);
  return refuted(`${received} studies for two projects, ${expected} for the first`, both);
}

/** Judges a failed step. A 4xx other than 403 refutes the parameter, provided that the list without parameters succeeded. */
function toRefused(evidence: Evidence, step: string): Verdict {
  const observation = find(evidence, step);
  const { status = 0 } = observation ?? {};
  const isRefused = status >= 400 && status < 500 && status !== 403;
  if (!observation || !isRefused || toAnswers(evidence, 'list').length === 0)
    return unknown(toReason(evidence, step));
  return refuted(toStatus(observation), observation);
}
