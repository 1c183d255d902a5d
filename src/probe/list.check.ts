import { studyFields } from '../study/study.wire.js';
import { toAnswers, type Evidence, type Observation, type StudyFacts } from './observation.js';
import {
  confirmed,
  judge,
  judgeEach,
  refuted,
  toReason,
  toStatus,
  unknown,
  type Verdict,
} from './verdict.js';

function find({ observations }: Evidence, step: string): Observation | undefined {
  return observations.find((one) => one.step === step);
}

/** A 403 says nothing of the list: another token may see it. */
export function judgeList(evidence: Evidence): Verdict {
  const list = find(evidence, 'list');
  if (list?.status !== 404 && list?.status !== 405)
    return judge(toAnswers(evidence, 'list'), toReason(evidence, 'list'));
  return refuted(toStatus(list), list);
}

export function judgeDefault(evidence: Evidence): Verdict {
  return judgeEach(
    toAnswers(evidence, 'list'),
    ({ studies, page }) => {
      if (page?.page === 'another' || page?.size === 'another') return 'another `page` or `size`';
      return studies.length > 50 ? 'more than 50 items' : undefined;
    },
    toReason(evidence, 'list'),
  );
}

export function judgePage(evidence: Evidence): Verdict {
  return judge(
    toAnswers(evidence, 'list', 'list.first', 'list.second').map(({ number, type, page }) => {
      if (!page) return { number, fault: type === 'nothing' ? 'no JSON' : type };
      const wrong = [...page.parts].filter(
        ([name, part]) => part !== (name === 'items' ? 'an array' : 'a number'),
      );
      const faults = wrong.map(([name, part]) => `\`${name}\` ${toWords(part)}`);
      return { number, fault: faults.length > 0 ? faults.join(' and ') : undefined };
    }),
    toReason(evidence, 'list'),
  );
}

function toWords(type: string): string {
  return type === 'nothing' ? 'missing' : type;
}

/** Compares each item with the read of the same study. */
export function judgeItems(evidence: Evidence): Verdict {
  const reads = new Map(
    toAnswers(evidence, 'read').flatMap(({ studies }) => studies.map((study) => [study.id, study])),
  );
  const cases = toAnswers(evidence, 'list').flatMap(({ number, studies }) =>
    studies.flatMap((item) => {
      const read = item.id === undefined ? undefined : reads.get(item.id);
      return read ? [{ number, fault: findLacking(item, read) }] : [];
    }),
  );
  return judge(cases, 'no study was listed and read');
}

function findLacking(item: StudyFacts, read: StudyFacts): string | undefined {
  const isMissing = (study: StudyFacts, name: string): boolean =>
    study.fields.get(name)?.type === 'nothing';
  const names = studyFields
    .map(({ wireName }) => wireName)
    .filter((name) => isMissing(item, name) && !isMissing(read, name));
  return names.length > 0 ? `no \`${names.join('`, `')}\`` : undefined;
}

/** Whether the list has two studies or more, so that pages of one study must differ. */
function hasTwo(evidence: Evidence): boolean {
  return toAnswers(evidence, 'list').some(({ studies }) => studies.length > 1);
}

export function judgeSize(evidence: Evidence): Verdict {
  const [first] = toAnswers(evidence, 'list.first');
  if (!first) return toRefused(evidence, 'list.first');
  const { studies, page } = first;
  if (studies.length > 1) return refuted(`${studies.length} studies with \`size=1\``, first);
  if (page?.size === 'another') return refuted('another `size` in the answer', first);
  if (studies.length === 1 && hasTwo(evidence)) return confirmed('1 study with `size=1`', first);
  return page?.size === 'as asked'
    ? confirmed('the `size` in the answer', first)
    : unknown('too few studies to tell');
}

export function judgePageNumber(evidence: Evidence): Verdict {
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
    ? confirmed('the `page` in the answer', second)
    : unknown('too few studies to tell');
}

/** Asks for a project that has studies, and for one that has none. */
export function judgeProject(evidence: Evidence): Verdict {
  const known = find(evidence, 'list.project');
  const stranger = find(evidence, 'list.stranger');
  if (!known || !stranger) return unknown(toReason(evidence, 'list.project'));
  const others = stranger.studies.length;
  if (others > 0) return refuted(`${others} studies of a project that does not exist`, stranger);
  const [ofProject] = toAnswers(evidence, 'list.project');
  if (!ofProject) return toRefused(evidence, 'list.project');
  if (ofProject.studies.length === 0) return refuted('no study of a project that has one', known);
  const foreign = ofProject.studies.filter(({ projectId }) => !isAsked(ofProject, projectId));
  return foreign.length > 0
    ? refuted(`another project in ${foreign.length} of ${ofProject.studies.length}`, known)
    : confirmed(`${ofProject.studies.length} of ${ofProject.studies.length}`, known, stranger);
}

function isAsked({ asked }: Observation, projectId: number | undefined): boolean {
  return projectId !== undefined && asked.includes(projectId);
}

/** Asks for a project beside one that does not exist: the studies must be those of the project alone. */
export function judgeProjects(evidence: Evidence): Verdict {
  const [alone] = toAnswers(evidence, 'list.project');
  const [both] = toAnswers(evidence, 'list.projects');
  if (!alone || !both) return toRefused(evidence, 'list.projects');
  const [expected, received] = [alone, both].map(({ studies }) => studies.length);
  if (expected === received) return confirmed(`${received} of ${expected}`, both);
  return refuted(`${received} studies for two projects, ${expected} for the first`, both);
}

/** A 4xx to a parameter, where the list without it was answered, refutes the parameter; a 403 does not. */
function toRefused(evidence: Evidence, step: string): Verdict {
  const observation = find(evidence, step);
  const { status = 0 } = observation ?? {};
  const isRefused = status >= 400 && status < 500 && status !== 403;
  if (!observation || !isRefused || toAnswers(evidence, 'list').length === 0)
    return unknown(toReason(evidence, step));
  return refuted(toStatus(observation), observation);
}
