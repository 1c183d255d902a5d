import {
  absentable,
  isObject,
  studyFields,
  type Contract,
  type FieldName,
} from 'study-gateway-contract';
import type { Exchange } from './ask.js';
import {
  countFaults,
  differs,
  fails,
  note,
  open,
  settle,
  type Evidence,
  type Judges,
  type Line,
  type Verdict,
} from './evidence.js';
import { findFault, quote, toKind, toSafeName } from './fields.js';
import { toNames } from './learn.js';

/** Fields that the reference never shows as `null`. The gateway takes `null` too. */
const neverNull = new Set(['createdAt', 'bookmarked', 'language', 'status', 'strategy']);

/** Statements about the study in an answer: where it is, and its names. */
export const studyJudges: Judges = {
  'answer.at': ({ at, contract, studies }) => {
    if (at === undefined) return open('no answer shows a study');
    if (at === (contract.answer.at ?? '')) return undefined;
    const line = { at: '/answer/at', value: at || undefined };
    return differs('it is inside of the answer', toExamples(studies), line);
  },
  'answer.naming': ({ learned, contract: { answer }, studies }) => {
    const { naming } = toNames(learned.names, answer.naming);
    if (naming === answer.naming) return undefined;
    const line = { at: '/answer/naming', value: naming };
    const stale = Object.keys(answer.names).map((name) => toLine(name, undefined));
    return differs(`${naming} in answers`, toExamples(studies), line, ...stale);
  },
  // Fields that were never seen, and that no document demands, may be missing because they have no value.
  'answer.absent': ({ contract, learned, written, studies }) => {
    const known: readonly FieldName[] = contract.answer.absent;
    const isSure = (name: FieldName): boolean =>
      known.includes(name) ||
      studyFields[name].answer !== 'optional' ||
      neverNull.has(name) ||
      written?.whole?.sent?.[name] !== undefined;
    const value = learned.missing.filter((name) => absentable.includes(name) && isSure(name));
    const gone = value.filter((name) => !known.includes(name)).map((name) => `no \`${name}\``);
    const shown = known.filter((name) => learned.names.has(name)).map((name) => quote([name]));
    if (gone.length + shown.length === 0) return undefined;
    const line = { at: '/answer/absent', value };
    return differs([...gone, ...shown].join(', '), toExamples(studies), line);
  },
  'field.other': ({ studies, learned }) => {
    const known = new Set([...learned.names.values(), ...[...learned.open.values()].flat()]);
    const all = studies.flatMap(({ study }) => Object.keys(study));
    const others = all.filter((name) => !known.has(name));
    if (others.length === 0) return undefined;
    // A body may have values for names.
    const values = new Set(studies.flatMap(({ study }) => Object.values(study).flat()));
    const toShown = (name: string): string =>
      values.has(name) ? `a name of ${name.length} characters` : toSafeName(name);
    const names = [...new Set(others.map(toShown))];
    const seen = names.slice(0, 20).join(', ') + (names.length > 20 ? ' and more' : '');
    return note(seen, toExamples(studies), 'The gateway ignores other fields.');
  },
};

function toExamples(studies: Evidence['studies']): Exchange[] {
  return studies.map(({ exchange }) => exchange).slice(0, 3);
}

function toLine(name: string, value: unknown): Line {
  return { at: `/answer/names/${name}`, value };
}

/** Judges the name and the values of one field. */
export function judgeField(
  { studies, contract, learned }: Evidence,
  field: FieldName,
): Verdict | readonly Verdict[] {
  const exchanges = toExamples(studies);
  const isAbsentable = absentable.includes(field);
  const finding = field === 'id' ? fails : differs;
  const own = learned.names.get(field);
  const candidates = learned.open.get(field);
  if (own === undefined && candidates) {
    const seen = `it may be ${candidates.map(toSafeName).join(', ')}`;
    const advice = `Name it there${isAbsentable ? ', or put it into /answer/absent' : ''}.`;
    return (field === 'id' ? fails : settle)(seen, exchanges, toLine(field, ''), advice);
  }
  if (own === undefined && isAbsentable) return open('missing', 'answer.absent');
  const advice = 'No file can help: the field is an error if selected.';
  if (own === undefined) return finding('missing', exchanges, advice);
  const lines = toNameLines(learned.names, contract.answer, field);
  const seen = `${toSafeName(own)} in answers`;
  const named = lines.length > 0 ? [differs(seen, exchanges, ...lines)] : [];
  const values = studies.map(({ study }) => study[own]);
  const faults = countFaults(values, (value) => findFaultOf(field, value));
  if (faults !== undefined) return [...named, finding(faults, exchanges, advice)];
  const oddities = countFaults(values, (value) => findOddity(field, value));
  if (oddities !== undefined) return [...named, note(oddities, exchanges, 'GraphQL passes it on.')];
  const isSeen = values.some((value) => value !== undefined && value !== null);
  return isSeen ? named : [...named, open(`null in ${values.length} of ${values.length}`)];
}

/** Returns the lines that name a field and, for a progress, its parts. */
function toNameLines(
  found: ReadonlyMap<string, string>,
  answer: Contract['answer'],
  field: FieldName,
): Line[] {
  const { naming, names } = toNames(found, answer.naming);
  const known = new Map(Object.entries(naming === answer.naming ? answer.names : {}));
  return ['', '.total', '.completed', '.failed']
    .map((part) => field + part)
    .filter((name) => names[name] !== known.get(name))
    .map((name) => toLine(name, names[name]));
}

function findFaultOf(field: FieldName, value: unknown): string | undefined {
  const { answer } = studyFields[field];
  if (value === undefined) return answer === 'optional' ? undefined : 'missing';
  if (value === null) return answer === 'value' ? 'null' : undefined;
  const fault = findFault(toKind(field), value);
  return fault === 'null inside' && field === 'progress' ? undefined : fault;
}

function findOddity(field: FieldName, value: unknown): string | undefined {
  if (value === null && neverNull.has(field)) return 'null';
  if (field === 'createdAt' && /T[\d:.]+$/i.test(String(value))) return 'without an offset';
  const hasNull = field === 'progress' && isObject(value) && Object.values(value).includes(null);
  return hasNull ? 'null inside' : undefined;
}
