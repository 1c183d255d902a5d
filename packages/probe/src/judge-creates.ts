import type { FieldName, JsonObject } from 'study-gateway-contract';
import { isSuccess, type Exchange } from './ask.js';
import {
  differs,
  fails,
  missing,
  NO_FILE,
  open,
  settle,
  type Evidence,
  type Judges,
  type Verdict,
} from './evidence.js';
import { quote, readAt, toPlaces, toTypeName } from './fields.js';
import { compare, toNames } from './learn.js';

/** Statements that creates tell something about. */
export const createJudges: Judges = {
  'create.exists': ({ written, contract, exchanges, unseen }) => {
    if (written?.whole) return undefined;
    const creates = exchanges.filter(({ method }) => method === 'POST');
    const last = creates.at(-1);
    if (!contract.operations.createStudy || last?.status === undefined)
      return unseen('create.smallest');
    const seen = `answered ${last.status}`;
    const isGone = creates.every(({ status = 0 }) => missing.has(status));
    if (isGone && exchanges.some((one) => isSuccess(one) || one.status === 405))
      return differs(seen, [last], { at: '/operations/createStudy', value: false });
    if (isGone) return open(seen, 'http.found');
    if (last.fault !== undefined && last.status < 400) return open(last.fault, 'http.answer');
    const advice = isSuccess(last)
      ? 'No file can help: no answer to a create shows an id that a path can hold.'
      : 'Does the project of --project exist? Else write the contract from the OpenAPI document.';
    const type = isSuccess(last) ? ` with ${toTypeName(last.json)}` : '';
    return fails(seen + type, [last], advice);
  },
  // Compares the bodies of a yes and of a no that both are a 2xx.
  'write.yes': ({ whole: yes, exchanges, contract, at, show }) => {
    const writes = exchanges.filter((one) => one.method !== 'GET' && isSuccess(one));
    // An API that shows a study has taken what it should refuse.
    const others = writes.filter((one) => show(one)?.['id'] !== undefined);
    const no = writes.find((one) => one.step.startsWith('refuse.') && !others.includes(one));
    const [place] = Object.entries(contract.verdicts.success ?? {});
    if (place && readAt(yes.json, place[0]) === place[1]) return undefined;
    const line = { at: '/verdicts/success', value: undefined };
    if (!no) return place && differs('the place says nothing', [yes], line);
    const says = toPlaces(yes.json).filter(([pointer, value]) => {
      const other = readAt(no.json, pointer);
      const isWord = typeof value === 'string' && others.length > 1;
      const isSure = others.every(({ json }) => readAt(json, pointer) === value);
      const isOther = other !== undefined && other !== value;
      return (
        !(at && pointer.startsWith(at)) &&
        (typeof value === 'boolean' || isWord) &&
        isSure &&
        isOther
      );
    });
    const best = says.find(([, value]) => typeof value === 'boolean') ?? says[0];
    const seen = `a refusal is answered ${no.status}`;
    if (best) return differs(seen, [no], { ...line, value: { [best[0]]: best[1] } });
    return fails(seen, [no], 'No file can help: no place in the body says yes or no.');
  },
  'write.statuses': ({ exchanges, contract: { verdicts } }) => {
    const others = exchanges.filter(
      (one) =>
        one.method !== 'GET' &&
        isSuccess(one) &&
        verdicts.applied?.includes(one.status ?? 0) === false,
    );
    if (others.length === 0) return undefined;
    const statuses = [...new Set(others.map(({ status }) => status))];
    const line = { at: '/verdicts/applied', value: [...(verdicts.applied ?? []), ...statuses] };
    return differs(`answered ${statuses.join(', ')}`, others, line);
  },
  'create.required': (evidence) => {
    const { exchanges, contract, written } = evidence;
    const at = '/request/required/createStudy';
    const known: readonly FieldName[] = contract.request.required.createStudy;
    const tried = exchanges.filter(({ step }) => step === 'create.smallest');
    if (!tried.some(({ made }) => made !== undefined)) {
      if (known.length > 0) return open('a create of less is refused, as the contract says');
      const seen = `answered ${tried[0]?.status} to a create of two fields`;
      return settle(seen, tried, { at, value: [''] }, 'Name the fields there.');
    }
    const free = known.filter((field) => !/^(?:projectId|description)$/.test(field));
    if (written?.createStudy.required.size !== 0 || free.length === 0)
      return judgeRequired(evidence, 'createStudy', tried);
    const value = known.filter((field) => !free.includes(field));
    return differs(`${quote(free)} not required`, tried, { at, value });
  },
  'create.fields': (evidence) => judgeTaken(evidence, 'createStudy', [evidence.whole]),
  // Only names that are sure: a value that was sent under the name came back, or strict names were taken.
  'request.naming': ({ written, contract: { request }, whole }) => {
    const { naming, names } = toNames(
      written?.settled ?? new Map(),
      written?.names.naming ?? 'camelCase',
    );
    const isSame = naming === request.naming;
    const known = new Map(Object.entries(request.names));
    const fields = new Set([...Object.keys(names), ...(isSame ? [] : known.keys())]);
    const lines = [...fields]
      .filter((field) => !isSame || known.get(field) !== names[field])
      .map((field) => ({ at: `/request/names/${field}`, value: names[field] as unknown }));
    if (!isSame) lines.unshift({ at: '/request/naming', value: naming });
    if (lines.length === 0) return undefined;
    return differs(`${naming} names, ${Object.keys(names).length} exceptions`, [whole], ...lines);
  },
  'create.stored': ({ written, learned, whole, show, find }) => {
    // A field that was sent under a name of another is judged by its name.
    const isOfName = (field: FieldName): boolean =>
      written?.settled.has(field) === true && !learned.byValue.has(field);
    const shown = show(whole) ?? {};
    const back = find('back.created');
    const unlike = [...compare(shown, show(back) ?? {}).keys()];
    const seen = `a read shows other values of ${quote(unlike)}`;
    return [
      ...toUnlike(whole.sent, shown, whole, isOfName),
      ...(back && unlike.length > 0 ? [differs(seen, [back], NO_FILE)] : []),
    ];
  },
  'keys.honoured': ({ find, whole, contract: { keys }, exchanges }) => {
    const again = find('create.again');
    if (!again) return open('no create was repeated', 'create.exists');
    const others = exchanges.filter((one) => one !== whole && one !== again);
    if (others.some(({ made }) => made === whole.made))
      return fails('creates of two studies show the same id', [whole], NO_FILE);
    if (!isSuccess(again))
      return differs(`answered ${again.status} to a create with a used key`, [again], NO_FILE);
    const areHonoured = again.made === whole.made;
    if (areHonoured === (keys !== undefined)) return undefined;
    const seen = areHonoured ? 'the first study' : `answered ${again.status}, another study`;
    const value = areHonoured ? { header: 'Idempotency-Key' } : undefined;
    return differs(seen, [again], { at: '/keys', value });
  },
};

type WriteName = 'createStudy' | 'editStudy';

/** Returns a finding about fields that an operation demands, and that the contract does not know of. */
export function judgeRequired(
  { written, contract }: Evidence,
  operation: WriteName,
  exchanges: readonly Exchange[],
): Verdict | undefined {
  const known: readonly FieldName[] = contract.request.required[operation];
  const others = [...(written?.[operation].required ?? [])].filter((one) => !known.includes(one));
  const line = { at: `/request/required/${operation}`, value: [...known, ...others] };
  return others.length > 0 ? differs(`${quote(others)} required`, exchanges, line) : undefined;
}

/** Returns findings about fields that an operation refuses by name, or for the values that were tried. */
export function judgeTaken(
  { written, contract }: Evidence,
  operation: WriteName,
  exchanges: readonly Exchange[],
): Verdict[] {
  const known: readonly FieldName[] = contract.request.absent[operation];
  const refused = [...(written?.[operation].refused ?? [])].filter(([one]) => !known.includes(one));
  return [...Map.groupBy(refused, ([, reason]) => reason)].map(([reason, same]) => {
    const names = same.map(([field]) => field);
    const advice = 'No file can help: clients must know the values.';
    if (reason === 'value')
      return differs(`values of ${quote(names)} were refused`, exchanges, advice);
    const line = { at: `/request/absent/${operation}`, value: [...known, ...names] };
    return differs(`${quote(names)} refused by name`, exchanges, line);
  });
}

/** Returns a finding for each way in which values came back otherwise than they were sent. */
export function toUnlike(
  sent: JsonObject = {},
  shown: JsonObject,
  exchange: Exchange,
  isKnown: (field: FieldName, how: string) => boolean,
): Verdict[] {
  const unlike = [...compare(sent, shown)].filter((one) => !isKnown(...one));
  return [...Map.groupBy(unlike, ([, how]) => how)].map(([how, same]) =>
    differs(`${quote(same.map(([field]) => field))}: ${how}`, [exchange], NO_FILE),
  );
}
