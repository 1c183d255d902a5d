import type { Evidence } from './evidence.js';
import {
  fieldNames,
  fields,
  findFault,
  isObject,
  toApiName,
  toSafeName,
  type FieldName,
} from './fields.js';
import { toNames } from './learn.js';
import {
  countFaults,
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

const all = ['createStudy', 'editStudy', 'study', 'studies'] as const;
const ofAnswers = questionsOf('reading', 'reference', ...all);
const ofNames = questionsOf('reading', 'inferred', ...all);

/** Fields that the reference never shows as `null`. The gateway takes `null` too. */
const neverNull = new Set(['createdAt', 'bookmarked', 'language', 'status', 'strategy']);
/** Fields that an API may leave out by its contract. */
const absentable = new Set(fieldNames.filter((name) => fields[name].presence !== 'value'));

/** Questions about the study in an answer: where it is, and the name and type of each field. */
export const fieldQuestions: readonly Question[] = [
  ofNames('answer.at', 'The answer to one study is the study itself.', judgePlace, '/answer/at'),
  ofNames(
    'answer.naming',
    'The names in answers are in camel case.',
    judgeNaming,
    '/answer/naming',
  ),
  ofNames('answer.absent', 'An answer has all 23 fields.', judgeAbsent, '/answer/absent'),
  ...fieldNames.map((name) =>
    questionsOf('reading', fields[name].source, ...all)(
      `field.${name}`,
      toClaim(name),
      (evidence) => judgeField(evidence, name),
      `/answer/names/${name}`,
    ),
  ),
  ofAnswers('field.other', 'A study has no fields but these.', judgeOthers),
];

function toClaim(name: FieldName): string {
  const { kind, presence } = fields[name];
  const form = kind === 'progress' ? 'object of three integers' : kind;
  const ending = { value: '', nullable: ', or null', optional: ', or null, or missing' }[presence];
  return `\`${name}\` is ${/^[aeio]/.test(form) ? 'an' : 'a'} ${form}${ending}.`;
}

function judgePlace({ at, contract, studies }: Evidence): Verdict {
  if (at === undefined) return open('no answer shows a study');
  const exchanges = studies.map(({ exchange }) => exchange).slice(0, 3);
  if (at === (contract.answer.at ?? '')) return so(`${studies.length} studies`, ...exchanges);
  return differs('it is inside of the answer', exchanges, {
    at: '/answer/at',
    value: at || undefined,
  });
}

/** Returns the names that answers show, as the contract says them. */
function toAnswer({ learned, contract }: Evidence) {
  const { naming, names } = toNames(learned.names, contract.answer);
  const absent = learned.missing.filter((name) => absentable.has(name));
  return { naming, names, absent };
}

function judgeNaming(evidence: Evidence): Verdict {
  const { studies, contract } = evidence;
  if (studies.length === 0) return open('no study was seen', 'answer.at');
  const { naming } = toAnswer(evidence);
  if (naming === contract.answer.naming) return so(`${studies.length} studies`);
  const stale = Object.keys(contract.answer.names).map((name) => ({
    at: `/answer/names/${name}`,
    value: undefined,
  }));
  const exchanges = studies.map(({ exchange }) => exchange).slice(0, 3);
  return differs(
    `${naming} in answers`,
    exchanges,
    { at: '/answer/naming', value: naming },
    ...stale,
  );
}

/** Fields that were never seen, and that no document demands, may be missing because they have no value. */
function judgeAbsent(evidence: Evidence): Verdict {
  const { studies, contract, learned, written } = evidence;
  if (studies.length === 0) return open('no study was seen', 'answer.at');
  const sent = written?.sent.get(written.whole?.number ?? 0) ?? {};
  const isSure = (name: FieldName): boolean =>
    fields[name].presence !== 'optional' || neverNull.has(name) || sent[name] !== undefined;
  const { absent } = toAnswer(evidence);
  const known: readonly FieldName[] = contract.answer.absent;
  const value = absent.filter((name) => known.includes(name) || isSure(name));
  const shown = known.filter((name) => learned.names.has(name));
  if (shown.length === 0 && value.every((name) => known.includes(name)))
    return so(`${learned.names.size} names`);
  const seen = [
    ...value.filter((name) => !known.includes(name)).map((name) => `no \`${name}\``),
    ...shown.map((name) => `\`${name}\``),
  ].join(', ');
  const exchanges = studies.map(({ exchange }) => exchange).slice(0, 3);
  return differs(seen, exchanges, { at: '/answer/absent', value });
}

function judgeField(evidence: Evidence, field: FieldName): Verdict | readonly Verdict[] {
  const { studies, contract, learned } = evidence;
  if (studies.length === 0) return open('no study was seen', 'answer.at');
  const exchanges = studies.map(({ exchange }) => exchange).slice(0, 3);
  const at = `/answer/names/${field}`;
  const name = learned.names.get(field);
  const candidates = learned.open.get(field);
  if (name === undefined && candidates) {
    const seen = `it may be ${candidates.map(toSafeName).join(', ')}`;
    const isFatal = field === 'id' ? fails : settle;
    const advice = `Name it there${absentable.has(field) ? ', or put it into /answer/absent' : ''}.`;
    return isFatal(seen, exchanges, { at, value: '' }, advice);
  }
  if (name === undefined) {
    if (field === 'id') return fails('missing', exchanges, 'No file can help: no study is shown.');
    if (absentable.has(field)) return open('missing', 'answer.absent');
    return differs('missing', exchanges, 'No file can help: the field is an error if selected.');
  }
  return [judgeName(evidence, field, name), ...judgeType(evidence, field, name)].filter(
    (verdict) => verdict !== undefined,
  );

  function judgeName({ contract: { answer } }: Evidence, of: FieldName, own: string) {
    const { naming, names } = toAnswer(evidence);
    const parts =
      of === 'progress' ? Object.keys(names).filter((key) => key.startsWith('progress.')) : [];
    const lines = [of, ...parts].flatMap((key): Line[] => {
      const value = names[key];
      const known = naming === answer.naming ? toOwnName(answer.names, key) : undefined;
      return value === known ? [] : [{ at: `/answer/names/${key}`, value }];
    });
    if (lines.length === 0) return undefined;
    return differs(`${toSafeName(own)} in answers`, exchanges, ...lines);
  }

  function judgeType(_: Evidence, of: FieldName, own: string): Verdict[] {
    const { kind, presence } = fields[of];
    const faults = countFaults(studies, ({ study: { [own]: value } }) => {
      if (value === undefined) return presence === 'optional' ? undefined : 'missing';
      if (value === null) return presence === 'value' ? 'null' : undefined;
      const fault = findFault(kind, value);
      return fault === 'null inside' && kind === 'progress' ? undefined : fault;
    });
    if (faults !== undefined) {
      const isFatal = of === 'id' ? fails : differs;
      return [isFatal(faults, exchanges, 'No file can help: the field is an error if selected.')];
    }
    const oddities = countFaults(studies, ({ study: { [own]: value } }) => {
      if (value === null && neverNull.has(of)) return 'null';
      if (kind === 'date and time' && typeof value === 'string' && /T[\d:.]+$/i.test(value))
        return 'without an offset';
      const isOfNull =
        kind === 'progress' && isObject(value) && Object.values(value).includes(null);
      return isOfNull ? 'null inside' : undefined;
    });
    if (oddities !== undefined) return [note(oddities, exchanges, 'GraphQL passes it on.')];
    const seen = studies.filter(
      ({ study: { [own]: value } }) => value !== undefined && value !== null,
    );
    if (seen.length === 0) return [open(`null in ${studies.length} of ${studies.length}`)];
    const word = own === toApiName(contract.answer, of) ? '' : `${toSafeName(own)}, `;
    return [so(`${word}${seen.length} of ${studies.length}`, ...exchanges)];
  }
}

function toOwnName(names: Readonly<Record<string, string | undefined>>, key: string) {
  return names[key];
}

function judgeOthers({ studies, learned }: Evidence): Verdict {
  const known = new Set([...learned.names.values(), ...[...learned.open.values()].flat()]);
  const others = new Set(
    studies.flatMap(({ study }) => Object.keys(study).filter((name) => !known.has(name))),
  );
  if (studies.length === 0) return open('no study was seen', 'answer.at');
  if (others.size === 0) return so(`${studies.length} studies`);
  // A body may have values for names.
  const values = new Set(studies.flatMap(({ study }) => Object.values(study).flat()));
  const toShown = (name: string): string =>
    values.has(name) ? `a name of ${name.length} characters` : toSafeName(name);
  const names = [...new Set([...others].map(toShown))].slice(0, 20).join(', ');
  const more = others.size > 20 ? ' and more' : '';
  const exchanges = studies.map(({ exchange }) => exchange).slice(0, 3);
  return note(names + more, exchanges, 'The gateway ignores other fields.');
}
