import fc from 'fast-check';
import { studyFields } from '../support/contract.js';
import { commonFields, createOnlyFields, type FieldType } from '../support/inputs.js';
import { wholeStudy } from '../support/studies.js';

/** Text of any characters except lone surrogates, which UTF-8 cannot encode. */
const wellFormedText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', 'u', 'd83d', '\0', '\n', '\u2028', '{', '$', '#') }),
);

const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
);

const dateTime = fc
  .tuple(
    fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    fc.stringMatching(/^(\.\d{1,12})?(Z|z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/),
  )
  .map(([date, rest]) => date.toISOString().slice(0, 19) + rest);

const integerOrNull = fc.option(fc.integer());

const inputValues: Record<FieldType, fc.Arbitrary<unknown>> = {
  String: wellFormedText,
  UUID: uuid,
  DateTime: dateTime,
  Boolean: fc.boolean(),
  Int: fc.integer(),
  '[String!]': fc.array(wellFormedText),
  ProgressInput: fc.record(
    { total: integerOrNull, completed: integerOrNull, failed: integerOrNull },
    { requiredKeys: [], noNullPrototype: true },
  ),
};

/** Generates inputs with these fields, each of which is left out, null, or any value of its type. */
function toInput(
  fields: Readonly<Record<string, FieldType>>,
): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.entries(fields).map(([name, type]) => [
    name,
    fc.option(inputValues[type], { freq: 8 }),
  ]);
  return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [],
    noNullPrototype: true,
  });
}

export const editStudyInput = toInput(commonFields);
export const createStudyInput = toInput({ ...commonFields, ...createOnlyFields });

// Keys have no character that JSON escapes: JSON.parse of Node 24 and 26 sometimes confuses such a key with another key
// that it has parsed before (nodejs/node#63785). Values are not affected.
const plainCharacter = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
  .filter((character) => JSON.stringify(character) === `"${character}"`);
const key = fc.oneof(
  fc.string({ unit: plainCharacter }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '0'),
);
const jsonObject = fc.dictionary(
  key,
  fc.oneof(wellFormedText, fc.jsonValue({ stringUnit: plainCharacter })),
  { noNullPrototype: true },
);
const texts = fc.array(wellFormedText);
const textOrNull = fc.option(wellFormedText);

/** Generates texts that are almost a date and time, many of them at the end of a month or of a day. */
const almostDateTime = fc.stringMatching(
  /^(0000|1900|202|202[34])-(0\d|1[0-3])-(01|2[89]|3[0-2])[Tt ]?(05|2[345]):([05]9|60):([05]9|6[01])(\.5|\.0{6}|\.|,5)?([Zz]|[+-](0[058]|2[345]):?([03]0|59|60))?$/,
);

/** Text of any UTF-16 code units. JSON carries a lone surrogate as an escape. */
const anyText = fc.oneof(
  wellFormedText,
  fc.string({ unit: fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff', 'u', '\\') }),
);

/** Notation of a number that `JSON.stringify` does not write. */
const numberText = fc.constantFrom('-0', '1e2', '12.0', '2147483647.0', '2147483648', '1e400');

/** Generates values of any kind, also such as no field of a study allows. */
const anyValue = fc.oneof(
  anyText,
  almostDateTime,
  fc.constantFrom(null, true, 0.5, 2_147_483_647, -2_147_483_648, 2_147_483_648, '', [], {}),
  fc.array(fc.option(anyText)),
  fc.record({ total: fc.option(fc.integer()), completed: fc.double(), failed: anyText }),
  numberText.map((number) => `number ${number}`),
);

const readValues: Record<FieldType, fc.Arbitrary<unknown>> = {
  ...inputValues,
  String: anyText,
  UUID: fc.oneof(uuid, anyText),
  DateTime: fc.oneof(dateTime, almostDateTime),
  '[String!]': fc.array(anyText),
};

/** Generates answers with any values in the fields that an input has too, as JSON text. The id is a UUID. */
export const anyAnswer: fc.Arbitrary<{ readonly id: string; readonly body: string }> = fc
  .tuple(
    uuid,
    fc.record(
      Object.fromEntries(
        Object.entries({ ...commonFields, ...createOnlyFields }).map(([name, type]) => [
          name,
          fc.oneof({ weight: 3, arbitrary: readValues[type] }, { weight: 1, arbitrary: anyValue }),
        ]),
      ),
      { requiredKeys: [], noNullPrototype: true },
    ),
  )
  .map(([id, fields]) => ({
    id,
    body: JSON.stringify({ ...wholeStudy, ...fields, id }).replaceAll(/"number ([^"]+)"/g, '$1'),
  }));

/** Generates studies that conform to the contract. */
export const study = fc.record(
  {
    id: uuid,
    description: textOrNull,
    projectId: uuid,
    createdAt: fc.option(dateTime),
    bookmarked: fc.option(fc.boolean()),
    language: textOrNull,
    audiences: texts,
    audiencesObj: fc.array(jsonObject),
    problems: texts,
    problemsObj: fc.array(jsonObject),
    files: texts,
    planId: textOrNull,
    progress: fc.option(
      fc.record({ total: integerOrNull, completed: integerOrNull, failed: integerOrNull }),
    ),
    status: textOrNull,
    solutionId: textOrNull,
    solution: fc.option(jsonObject),
    researchGoalId: textOrNull,
    researchGoal: fc.option(jsonObject),
    knowledgeGraphs: fc.option(texts),
    strategy: textOrNull,
    interviewCount: integerOrNull,
    interviews: texts,
    summaries: texts,
  },
  { noNullPrototype: true },
);

/** Marker in every text of a generated answer. Neither an error nor the log may contain the marker. */
export const canary = 'canary-7f3a';

/** Returns the value with the canary added to each of its strings, but not to the names of its fields. */
function brand(value: unknown): unknown {
  if (typeof value === 'string') return `${canary} ${value}`;
  if (Array.isArray(value)) return value.map(brand);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, brand(item)]));
}

const brandedJson = fc.jsonValue({ stringUnit: 'grapheme' }).map(brand);

/** Generates studies some of whose fields are missing or have any JSON value. */
const brokenStudy = fc
  .tuple(
    fc.subarray(studyFields),
    fc.dictionary(fc.constantFrom(...studyFields, '__proto__', 'more'), brandedJson),
  )
  .map(([left, broken]): unknown => {
    const kept = Object.entries(wholeStudy).filter(([name]) => !left.some((gone) => gone === name));
    return Object.fromEntries([...kept, ...Object.entries(broken)]);
  });

const bytes = fc
  .tuple(fc.uint8Array(), fc.constantFrom('', canary, `{"${canary}":`), fc.uint8Array())
  .map(([before, text, after]) => Buffer.concat([before, Buffer.from(text), after]));

/** Any HTTP response of the Study API. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const headerText = fc.oneof(
  fc.constantFrom('', '1', 'gzip', 'deflate', 'br', 'zstd', 'identity', 'application/json'),
  fc.constantFrom('text/html', 'application/json; charset=utf-16', canary),
  fc.string(),
);

export const answer: fc.Arbitrary<Answer> = fc.record({
  status: fc.oneof(
    { weight: 3, arbitrary: fc.constant(200) },
    { weight: 1, arbitrary: fc.integer({ min: 200, max: 299 }) },
    { weight: 1, arbitrary: fc.constantFrom(400, 401, 403, 404, 409, 422, 429, 500, 503) },
    { weight: 1, arbitrary: fc.integer({ min: 300, max: 999 }) },
  ),
  headers: fc.record(
    {
      'content-type': headerText,
      'content-encoding': fc.oneof({ weight: 3, arbitrary: fc.constant('identity') }, headerText),
      'retry-after': headerText,
      location: headerText,
    },
    { requiredKeys: [] },
  ),
  body: fc.oneof(
    brandedJson.map((value) => Buffer.from(JSON.stringify(value))),
    brokenStudy.map((value) => Buffer.from(JSON.stringify(value))),
    bytes,
  ),
});
