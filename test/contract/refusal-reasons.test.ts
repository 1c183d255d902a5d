import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StudiesDocument } from 'study-gateway-client';
import { ownToken, startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { allOperations, run, toFailedResponse, toStatusFailure } from '../support/operations.js';
import { answerJson } from '../support/study-api.js';
import { answerBytes } from '../support/faults.js';
import { allDaily } from '../support/daily.js';

const create = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';

interface Reasons {
  readonly upstreamMessage?: string;
  readonly fieldErrors?: readonly { path: readonly unknown[]; message: string }[];
}

/** Starts a gateway before an API that refuses each create. */
async function start(options: TestGatewayOptions = {}) {
  let [body, status]: [unknown, number] = ['', 422];
  const gateway = await startTestGateway({
    ...options,
    api: (...call) =>
      (typeof body === 'string' ? answerBytes(body, {}, status) : answerJson(body, status))(
        ...call,
      ),
  });
  /** Returns the extensions of the error of a create that the Study API refuses with `next`. */
  const refuse = async (next: unknown, code = 422, token = 'secret') => {
    [body, status] = [next, code];
    const headers = { authorization: `Bearer ${token}` };
    const { errors } = await gateway.graphql(create, { input: {} }, headers);
    return errors?.[0]?.extensions;
  };
  /** Returns the reasons alone. */
  const tell = async (...given: Parameters<typeof refuse>): Promise<Reasons> => {
    const { upstreamMessage, fieldErrors } = (await refuse(...given)) ?? {};
    // Without those that are undefined.
    return JSON.parse(JSON.stringify({ upstreamMessage, fieldErrors })) as Reasons;
  };
  return { ...gateway, refuse, tell };
}

const archived = 'The project is archived.';
const message = 'Must not be empty';
const ofTotal = { path: ['input', 'progress', 'total'], message };
const ofFile = { path: ['input', 'files', 3], message };

/** Bodies by their form, and what a client is told. */
const forms: readonly (readonly [form: string, body: object, told: Reasons])[] = [
  ...Object.entries({
    '{detail}': { detail: archived },
    'RFC 9457': { type: 'about:blank', title: 'Conflict', status: 409, detail: archived },
    'a title alone': { title: archived, status: 409 },
    '{message}': { message: archived },
    '{error}': { error: archived },
    '{error: {message}}': { error: { code: 7, message: archived } },
    'an HTTPException': { detail: { code: 'quota', message: archived } },
  }).map(([form, body]) => [form, body, { upstreamMessage: archived }] as const),
  [
    'NestJS',
    { statusCode: 400, message: ['files: no', 'status: no'], error: 'Bad Request' },
    { upstreamMessage: 'files: no; status: no' },
  ],
  [
    '{errors: [texts]}',
    { errors: [archived, 'Try another.'] },
    { upstreamMessage: `${archived}; Try another.` },
  ],
  [
    'RFC 9457 with pointers',
    {
      title: 'Your request is not valid.',
      errors: [
        { detail: message, pointer: '#/progress/total' },
        { detail: message, pointer: '/files/3' },
        { detail: 'Not this way', pointer: '#/a~1b~0c' },
      ],
    },
    { fieldErrors: [ofTotal, ofFile, { path: ['input', 'a/b~c'], message: 'Not this way' }] },
  ],
  [
    '{errors: {field: [texts]}}',
    {
      title: 'One or more validation errors occurred.',
      errors: { 'progress.total': [message], '$.files[3]': [message], '': ['No'] },
    },
    { fieldErrors: [ofTotal, ofFile], upstreamMessage: 'No' },
  ],
  [
    '{errors: [{message, field | path | property | loc}]}',
    {
      message: archived,
      errors: [
        { field: 'progress.total', message },
        { path: ['files', 3], message },
        { property: 'strategy', msg: 'Unknown' },
        { loc: ['body', 'status'], message: 'No' },
        { loc: ['language'], message: 'No' },
        { field: 'study_id', title: 'No' },
      ],
    },
    {
      upstreamMessage: archived,
      fieldErrors: [
        ofTotal,
        ofFile,
        { path: ['input', 'strategy'], message: 'Unknown' },
        ...['status', 'language', 'study_id'].map((name) => ({
          path: ['input', name],
          message: 'No',
        })),
      ],
    },
  ],
];

it.each(forms)('a refused user is told why in the form %s', async (_, body, told) => {
  const { tell } = await start();

  for (const status of [400, 409, 422]) expect(await tell(body, status)).toEqual(told);
});

const rejected = toStatusFailure(422, 'BAD_USER_INPUT', 'REJECTED');

function toDetail(loc: readonly unknown[], msg: unknown = 'no'): object {
  return { loc, msg, type: 'canary', input: 'canary', ctx: { reason: 'canary' }, url: 'canary' };
}

it.each(allOperations)('turns locations of a 422 of $field into paths', async (operation) => {
  const detail = [['body', 'audiences', 3], ['body'], ['path', 'study_id']].map((loc) =>
    toDetail(loc),
  );
  const gateway = await startTestGateway({ api: answerJson({ detail }, 422) });

  const answer = await run(gateway, operation);

  const paths = [['input', 'audiences', 3], ['input'], ['id']];
  const fieldErrors = paths.map((path) => ({ path, message: 'no' }));
  expect(answer.body).toEqual(toFailedResponse(operation, answer, { ...rejected, fieldErrors }));
  expect(answer.whole).not.toContain('canary');
  expect(JSON.stringify(gateway.log)).not.toContain('canary');
});

it('has no reason if a 422 has none that can be read', async () => {
  const { refuse, log } = await start();
  const bodies = {
    'an empty list': '{"detail":[],"canary":"canary"}',
    'a list of other values': '{"detail":[1,null,["canary"],{"canary":"canary"}]}',
    'no message': '{"detail":[{"loc":["body","canary"]}]}',
    'a message that is no text': { detail: [toDetail(['body'], { canary: 1 })] },
    'an object without a reason': '{"code":"canary","stack":"at canary (/app/canary.js:1:1)"}',
    'a list': '[{"loc":["body"],"msg":"canary"}]',
    HTML: '<html><body>canary</body></html>',
    nothing: '',
    'broken JSON': '{"detail":[{"loc":["body"],"msg":"canary"}',
    'more than 4 MiB': `{"detail":[{"loc":["body"],"msg":"canary${' '.repeat(4 * 1024 * 1024)}"}]}`,
  };

  for (const [what, body] of Object.entries(bodies))
    expect({ what, ...(await refuse(body)) }).toEqual({
      what,
      code: 'BAD_USER_INPUT',
      outcome: 'REJECTED',
      retryable: false,
      requestId: expect.any(String),
      upstreamStatus: 422,
    });
  expect(JSON.stringify(log)).not.toContain('canary');
});

it('names the arguments of a read', async () => {
  const errors = [
    { field: 'size', message },
    { field: 'study_id', message },
  ];
  const { graphql } = await startTestGateway({ api: answerJson({ errors }, 422) });
  const id = '6f1c2a4e-3b5d-4c7a-9e8f-0a1b2c3d4e5f';

  const list = await graphql(StudiesDocument, { size: 5 });
  const read = await graphql(`{ study(id: "${id}") { id } }`);

  expect(list.errors?.[0]?.extensions?.['fieldErrors']).toEqual([
    { path: ['size'], message },
    { path: ['study_id'], message },
  ]);
  expect(read.errors?.[0]?.extensions?.['fieldErrors']).toEqual([
    { path: ['size'], message },
    { path: ['id'], message },
  ]);
});

const unproven = [302, 500];
const doubtful = [408, 410, 412, 429];

it.each([...unproven, ...doubtful])(
  'passes on the reason of a %i only if the outcome is REJECTED',
  async (status) => {
    const { refuse } = await start();
    const detail = [{ loc: ['body', 'status'], msg: 'canary' }];

    const extensions = await refuse({ detail, message: 'canary', errors: ['canary'] }, status);

    const isRejected = extensions?.['outcome'] === 'REJECTED';
    expect(isRejected && unproven.includes(status)).toBe(false);
    expect(JSON.stringify(extensions).includes('canary')).toBe(isRejected);
  },
);

it.each([401, 403])("passes on the reason of a %i only of the caller's token", async (status) => {
  const forward = await start();
  const own = await start(ownToken);
  const body = { message: 'canary', errors: [{ field: 'status', message: 'canary' }] };
  const reasons = {
    upstreamMessage: 'canary',
    fieldErrors: [{ path: ['input', 'status'], message: 'canary' }],
  };

  expect(await forward.tell(body, status)).toEqual(reasons);
  expect(await own.tell(body, status, 'test-token')).toEqual({});
  expect(await own.tell(body, 409, 'test-token')).toEqual(reasons);
});

it('reads lists of texts as fields in a 400 only, and if the body has nothing else', async () => {
  const { tell } = await start();
  const lists = { progress: { total: [message] }, non_field_errors: [archived] };
  const reasons = { fieldErrors: [ofTotal], upstreamMessage: archived };

  expect(await tell(lists, 400)).toEqual(reasons);
  expect(await tell({ audiences: ['canary'] }, 409)).toEqual({});
  expect(await tell({ id: 'canary', audiences: ['canary'] }, 400)).toEqual({});
});

it('makes one line of plain text of what it passes on', async () => {
  const { tell } = await start();

  for (const [text, told] of [
    ['one\u0000two\u001b[31m\tthree\r\nfour\u0085five', 'one two [31m three four five'],
    ['\u202etxt.exe\u202c \u2066no\u2069', 'txt.exe no'],
    ['a\u200bd\u00adm\ufeffin\u{e0041}', 'adm in'],
    ['a & c > d, 12/31/2024 and 1/2', 'a & c > d, 12/31/2024 and 1/2'],
    ['m'.repeat(201), `${'m'.repeat(199)}…`],
  ]) {
    expect(await tell({ message: text })).toEqual({ upstreamMessage: told });
    expect(await tell({ errors: { status: text } })).toEqual({
      fieldErrors: [{ path: ['input', 'status'], message: told }],
    });
  }
});

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl-_x';

it.each([
  ['a JWT', jwt, `No: Bearer ${jwt}`],
  ['a JWT with hidden characters', jwt, jwt.replaceAll(/(.{3})/g, '$1\u200b')],
  ['markup', 'secret', 'No <img src=x onerror=alert(1)'],
  ['a token with a slash', 'ab/cd+ef=', 'no ab/cd+ef='],
  ['a token that begins below the limit of a text', jwt, `${'m'.repeat(190)}${jwt}`],
])('tells nothing of a text or a path with %s', async (_, token, text) => {
  const { tell } = await start();
  const errors = [
    text,
    { field: text, message: text },
    { loc: ['body', text], msg: text },
    { pointer: `#/${text}`, detail: text },
  ];

  expect(await tell({ detail: text, error: { message: text } }, 422, token)).toEqual({});
  expect(await tell({ errors, title: text }, 422, token)).toEqual({});
  expect(await tell({ errors: { [text]: text } }, 422, token)).toEqual({});
});

const many = Array.from({ length: 7_000 }, (_, index) => ({ field: `f${index}`, message: 'No' }));
const long = 'x'.repeat(200_000);

it.each([
  ['7,000 fields', { errors: Object.fromEntries(many.map(({ field }) => [field, 'No'])) }, 20],
  ['7,000 errors of one field', { errors: { status: many.map(() => 'No') } }, 20],
  [
    'long lists at several places',
    { errors: many.slice(99), error: { errors: many.slice(0, 99) } },
    20,
  ],
  ['200 KB in a name', { errors: [{ field: `f.${long}`, message: 'No' }] }, 1],
  ['a path of 100,000 steps', { errors: [{ field: 'f.'.repeat(100_000), message: 'No' }] }, 1],
])('passes on little of a body with %s', async (_, body, count) => {
  const { tell } = await start();
  const { fieldErrors = [] } = await tell(body);

  expect(fieldErrors).toHaveLength(count);
  for (const { path, message: text } of fieldErrors) {
    expect(path.length).toBeLessThanOrEqual(8);
    for (const part of [...path, text]) expect(String(part).length).toBeLessThanOrEqual(200);
  }
});

it('reads the reason beside deeply nested objects', async () => {
  const { tell } = await start();
  const deep = '{"error":'.repeat(20_000) + '1' + '}'.repeat(20_000);

  expect(await tell(`{"message":"No","error":${deep}}`)).toEqual({ upstreamMessage: 'No' });
});

/** Texts of a hostile API. The token is `hunter2`. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('hunter2', 'HUNTER-2', '<b>', '&lt;', '\u202e', '\u0000', 'hunter'),
  fc
    .array(fc.constantFrom('hunter', '2', '.', '/', '<', 'b>', '\u200b', ' ', 'x'.repeat(199)))
    .map((parts) => parts.join('')),
);
const names = ['detail', 'message', 'error', 'errors', 'title', 'loc', 'msg', 'field', 'path'];
const { value: hostile } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), text), tie('value'), { maxKeys: 5 }),
  ),
}));

it('passes on nothing but short plain texts of any body', { timeout: 30_000 }, async () => {
  const { refuse } = await start();
  const dictionary = fc.dictionary(fc.constantFrom(...names), hostile);

  await fc.assert(
    fc.asyncProperty(dictionary, async (value) => {
      const extensions = await refuse(value, 422, 'hunter2');
      expect(extensions).toMatchObject({ outcome: 'REJECTED' });
      const { upstreamMessage, fieldErrors = [] }: Reasons = extensions ?? {};
      const texts = [
        upstreamMessage ?? 'none',
        ...fieldErrors.flatMap(({ path, message: reason }) => [reason, ...path.map(String)]),
      ];
      for (const told of texts) {
        expect(told).toMatch(/^[^\p{Cc}\p{Cf}\u2028\u2029]{1,200}$/u);
        expect(told).not.toMatch(/<|hunter2/);
      }
      for (const { path } of fieldErrors) expect(path.join('.')).not.toMatch(/hunter2/i);
    }),
    { numRuns: allDaily(1_000, 100) },
  );
});
