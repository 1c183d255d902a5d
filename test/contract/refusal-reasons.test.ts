import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StudiesDocument } from 'study-gateway-client';
import { ownToken, startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { createStudy, run } from '../support/operations.js';
import { answerJson } from '../support/study-api.js';
import { answerBytes } from '../support/faults.js';

const create = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';

interface Reasons {
  readonly upstreamMessage?: string;
  readonly fieldErrors?: readonly { path: readonly unknown[]; message: string }[];
}

interface Refused extends TestGatewayOptions {
  readonly status?: number;
  readonly token?: string;
}

/** Returns the extensions of the error of a create that the Study API refuses with `body`. */
async function refuse(body: unknown, { status = 422, token = 'secret', ...options }: Refused = {}) {
  const api = typeof body === 'string' ? answerBytes(body, {}, status) : answerJson(body, status);
  const { graphql } = await startTestGateway({ api, ...options });
  const headers = { authorization: `Bearer ${token}` };
  const { errors } = await graphql(create, { input: {} }, headers);
  return errors?.[0]?.extensions;
}

/** Returns the reasons that a client gets for a create that the Study API refuses with `body`. */
async function toReasons(body: unknown, options?: Refused): Promise<Reasons> {
  const { upstreamMessage, fieldErrors } = (await refuse(body, options)) ?? {};
  return {
    ...(upstreamMessage !== undefined && { upstreamMessage: upstreamMessage as string }),
    ...(fieldErrors !== undefined && { fieldErrors: fieldErrors as Reasons['fieldErrors'] }),
  } as Reasons;
}

const archived = 'The project is archived.';
const message = 'Must not be empty';
const ofTotal = { path: ['input', 'progress', 'total'], message };
const ofFile = { path: ['input', 'files', 3], message };

const forms: readonly { form: string; body: object; told: Reasons }[] = [
  { form: '{detail}', body: { detail: archived }, told: { upstreamMessage: archived } },
  {
    form: 'RFC 9457 with a detail',
    body: { type: 'about:blank', title: 'Conflict', status: 409, detail: archived },
    told: { upstreamMessage: archived },
  },
  {
    form: 'RFC 9457 with a title alone',
    body: { title: archived, status: 409, instance: '/studies/7' },
    told: { upstreamMessage: archived },
  },
  {
    form: 'RFC 9457 with pointers',
    body: {
      title: 'Your request is not valid.',
      errors: [
        { detail: message, pointer: '#/progress/total' },
        { detail: message, pointer: '/files/3' },
        { detail: 'Not this way', pointer: '#/a~1b~0c' },
      ],
    },
    told: {
      fieldErrors: [ofTotal, ofFile, { path: ['input', 'a/b~c'], message: 'Not this way' }],
    },
  },
  {
    form: '{errors: {field: [texts]}}',
    body: {
      title: 'One or more validation errors occurred.',
      errors: {
        'progress.total': [message],
        '$.files[3]': [message],
        strategy: 'Unknown',
        '': ['No'],
      },
    },
    told: {
      fieldErrors: [ofTotal, ofFile, { path: ['input', 'strategy'], message: 'Unknown' }],
      upstreamMessage: 'No',
    },
  },
  { form: '{message}', body: { message: archived }, told: { upstreamMessage: archived } },
  {
    form: 'NestJS',
    body: { statusCode: 400, message: ['files: no', 'status: no'], error: 'Bad Request' },
    told: { upstreamMessage: 'files: no; status: no' },
  },
  {
    form: 'Spring Boot',
    body: { status: 409, error: 'Conflict', message: archived, path: '/studies' },
    told: { upstreamMessage: archived },
  },
  { form: '{error}', body: { error: archived }, told: { upstreamMessage: archived } },
  {
    form: '{error: {message}}',
    body: { error: { code: 7, message: archived } },
    told: { upstreamMessage: archived },
  },
  {
    form: 'an HTTPException with an object',
    body: { detail: { code: 'quota', message: archived } },
    told: { upstreamMessage: archived },
  },
  {
    form: '{errors: [texts]}',
    body: { errors: [archived, 'Try another.'] },
    told: { upstreamMessage: `${archived}; Try another.` },
  },
  {
    form: '{errors: [{message, field | path | property | loc}]}',
    body: {
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
    told: {
      upstreamMessage: archived,
      fieldErrors: [
        ofTotal,
        ofFile,
        { path: ['input', 'strategy'], message: 'Unknown' },
        { path: ['input', 'status'], message: 'No' },
        { path: ['input', 'language'], message: 'No' },
        { path: ['input', 'study_id'], message: 'No' },
      ],
    },
  },
  {
    form: 'FastAPI',
    body: {
      detail: [
        { loc: ['body', 'progress', 'total'], msg: message, type: 'missing', input: {} },
        { loc: ['body', 'files', 3], msg: message, type: 'missing', input: {} },
      ],
    },
    told: { fieldErrors: [ofTotal, ofFile] },
  },
];

const codes = {
  400: 'BAD_USER_INPUT',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'BAD_USER_INPUT',
  422: 'BAD_USER_INPUT',
};

describe.each(Object.entries(codes))('a refused user is told why: with %s', (status, code) => {
  it.each(forms)('in the form $form', async ({ body, told }) => {
    const upstreamStatus = Number(status);

    expect(await refuse(body, { status: upstreamStatus })).toEqual({
      code,
      outcome: 'REJECTED',
      retryable: false,
      requestId: expect.any(String),
      upstreamStatus,
      ...told,
    });
  });
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

const unproven = [302, 500, 503, 599];
const doubtful = [402, 408, 410, 412, 429, 460, 499];

it.each([...unproven, ...doubtful])(
  'passes on the reason of a %i only if the outcome is REJECTED',
  async (status) => {
    const body = {
      detail: [{ loc: ['body', 'status'], msg: 'canary' }],
      message: 'canary',
      errors: ['canary'],
    };

    const extensions = await refuse(body, { status });

    const isRejected = extensions?.['outcome'] === 'REJECTED';
    expect(isRejected && unproven.includes(status)).toBe(false);
    expect(JSON.stringify(extensions).includes('canary')).toBe(isRejected);
  },
);

it.each([401, 403])('passes on the reason of a %i of the token of the caller', async (status) => {
  expect(await toReasons({ detail: 'Expired' }, { status })).toEqual({
    upstreamMessage: 'Expired',
  });
});

it.each([401, 403])("keeps the reason of a %i of the gateway's own token", async (status) => {
  const body = { message: 'canary', errors: [{ field: 'status', message: 'canary' }] };

  const own = { ...ownToken, token: 'test-token', status };

  expect(await toReasons(body, own)).toEqual({});
  expect(await toReasons(body, { ...own, status: 409 })).toEqual({
    upstreamMessage: 'canary',
    fieldErrors: [{ path: ['input', 'status'], message: 'canary' }],
  });
});

it('reads lists of texts as fields in a 400 only, and if the body has nothing else', async () => {
  const lists = { progress: { total: [message] }, non_field_errors: [archived] };
  const reasons = { fieldErrors: [ofTotal], upstreamMessage: archived };

  expect(await toReasons(lists, { status: 400 })).toEqual(reasons);
  expect(await toReasons({ audiences: ['canary'] }, { status: 409 })).toEqual({});
  expect(await toReasons({ id: 'canary', audiences: ['canary'] }, { status: 400 })).toEqual({});
});

const refused = 'The Study API refused this value.';

it.each([
  ['HTML', '<b>No</b>'],
  ['a script', 'No <script>alert(1)</script>'],
  ['a script with a hidden character', 'No <\u200bscript>alert(1)'],
  ['a tag that is not closed', 'No <img src=x onerror=alert(1)'],
  ['a comment', 'No <!-- never -->'],
  ['a page', '<!doctype html><title>502</title>'],
  ['the token', 'the token secret is no good'],
  ['nothing that can be seen', '\u200b\u202e\u0000 \ue000'],
  ['no text', ''],
])('passes on no text with %s', async (_, text) => {
  expect(await toReasons({ message: text, title: 'Not possible' })).toEqual({
    upstreamMessage: 'Not possible',
  });
  expect(await toReasons({ errors: [text, { field: 'status', message: text }] })).toEqual({
    fieldErrors: [{ path: ['input', 'status'], message: refused }],
  });
});

it.each([
  [
    'control characters',
    'one\u0000two\u001b[31m\tthree\r\nfour\u0085five',
    'one two [31m three four five',
  ],
  ['line separators', 'one\u2028two\u2029three', 'one two three'],
  ['bidirectional controls', '\u202etxt.exe\u202c \u2066no\u2069', 'txt.exe no'],
  ['hidden characters', 'a\u200bd\u00adm\ufeffin\u{e0041}', 'adm in'],
  ['half a surrogate pair', 'no\ud800 way', 'no way'],
  ['a comparison', 'a & c > d', 'a & c > d'],
  ['a date and a fraction', '12/31/2024 and 1/2, not 10:30', '12/31/2024 and 1/2, not 10:30'],
  ['a long text', 'm'.repeat(201), `${'m'.repeat(199)}…`],
  ['other scripts', 'プロジェクトは存在しません 🙂', 'プロジェクトは存在しません 🙂'],
])('makes one line of plain text of %s', async (_, text, told) => {
  expect(await toReasons({ message: text })).toEqual({ upstreamMessage: told });
  expect(await toReasons({ errors: { status: text } })).toEqual({
    fieldErrors: [{ path: ['input', 'status'], message: told }],
  });
});

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl-_x';

it.each([
  ['a JWT', jwt, `No: Bearer ${jwt}`],
  ['a JWT with hidden characters', jwt, jwt.replaceAll(/(.{3})/g, '$1\u200b')],
  ['a short token', 'test', 'the latest'],
  ['a token of one character', 'x', 'extra'],
  ['a token with a slash', 'ab/cd+ef=', 'no ab/cd+ef='],
  ['a token that begins below the limit of a text', jwt, `${'m'.repeat(190)}${jwt}`],
  ['a token without letters', '--', 'no -- never'],
])('tells nothing of a text or a path with %s', async (_, token, text) => {
  const errors = [
    text,
    { field: text, message: text },
    { loc: ['body', text], msg: text },
    { pointer: `#/${text}`, detail: text },
    { path: text.split('.'), message: text },
    { path: text.split('/'), message: text },
  ];

  expect(await toReasons({ detail: text, error: { message: text } }, { token })).toEqual({});
  expect(await toReasons({ errors, title: text }, { token })).toEqual({});
  expect(await toReasons({ errors: { [text]: text } }, { token })).toEqual({});
});

it.each(['__proto__', 'constructor', 'prototype', '\u200b__proto__', 'a.__proto__.b', '<b>'])(
  'does not name a value "%s"',
  async (name) => {
    const body = `{"errors":{${JSON.stringify(name)}:["No"]},"__proto__":{"detail":"canary"}}`;

    expect(await toReasons(body)).toEqual({ upstreamMessage: 'No' });
    expect(await toReasons({ errors: [{ field: name, message: 'No' }] })).toEqual({
      upstreamMessage: 'No',
    });
  },
);

const many = Array.from({ length: 7_000 }, (_, index) => ({ field: `f${index}`, message: 'No' }));
const long = 'x'.repeat(200_000);

it.each([
  ['7,000 errors', { errors: many }, 20],
  ['7,000 fields', { errors: Object.fromEntries(many.map(({ field }) => [field, 'No'])) }, 20],
  ['7,000 errors of one field', { errors: { status: many.map(() => 'No') } }, 20],
  [
    'long lists at several places',
    { errors: many.slice(99), error: { errors: many.slice(0, 99) } },
    20,
  ],
  ['1 MB of errors', { errors: Array.from({ length: 10 }, () => many).flat() }, 20],
  ['200 KB in a message', { errors: [{ field: 'f', message: long }] }, 1],
  ['200 KB in a name', { errors: [{ field: `f.${long}`, message: 'No' }] }, 1],
  ['a path of 100,000 steps', { errors: [{ field: 'f.'.repeat(100_000), message: 'No' }] }, 1],
])('passes on little of a body with %s', async (_, body, count) => {
  const { fieldErrors = [] } = await toReasons(body);

  expect(fieldErrors).toHaveLength(count);
  for (const { path, message: text } of fieldErrors) {
    expect(path.length).toBeLessThanOrEqual(8);
    expect(JSON.stringify([path, text]).length).toBeLessThan(500);
  }
});

it.each([
  ['lists', `{"message":"No","errors":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ['objects', `{"message":"No","error":${'{"error":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
])('reads the reason beside deeply nested %s', async (_, body) => {
  expect(await toReasons(body)).toEqual({ upstreamMessage: 'No' });
});

it('logs the reason at the level debug, and nowhere else', async () => {
  const body = { message: 'canary', errors: [{ field: 'status', message: 'No canary' }] };
  const gateway = await startTestGateway({ api: answerJson(body, 409) });

  const { requestId } = await run(gateway, createStudy);

  const lines = gateway.log.filter((line) => JSON.stringify(line).includes('canary'));
  expect(lines).toEqual([
    {
      level: 20,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      msg: 'the Study API gave a reason',
      requestId,
      upstreamMessage: 'canary',
      details: [{ location: ['body', 'status'], message: 'No canary' }],
    },
  ]);
});

/** Texts of a hostile API. The token is `hunter2`. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('hunter2', 'HUNTER-2', '<b>', '&lt;', '\u202e', '\u0000', 'hunter', '__proto__'),
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
  let body: unknown;
  const gateway = await startTestGateway({
    api: (...call) => answerJson(body, 422)(...call),
  });
  const headers = { authorization: 'Bearer hunter2' };
  const dictionary = fc.dictionary(fc.constantFrom(...names), hostile);

  await fc.assert(
    fc.asyncProperty(dictionary, async (value) => {
      body = value;
      const { errors } = await gateway.graphql(create, { input: {} }, headers);
      expect(errors).toHaveLength(1);
      const { upstreamMessage, fieldErrors = [] }: Reasons = errors?.[0]?.extensions ?? {};
      const texts = [
        upstreamMessage ?? 'none',
        ...fieldErrors.flatMap(({ path, message: reason }) => [reason, ...path.map(String)]),
      ];
      for (const told of texts) {
        expect(told).toMatch(/^[^\p{Cc}\p{Cf}\u2028\u2029]{1,200}$/u);
        expect(told).not.toMatch(/<|hunter2/);
      }
      for (const { path } of fieldErrors) expect(path.join('.')).not.toMatch(/hunter2|__proto__/i);
    }),
    { numRuns: 300 },
  );
});
