import { randomUUID } from 'node:crypto';
import { print } from 'graphql';
import { expect, it } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
  studyProblem,
} from 'study-gateway-client';
import {
  mockStudy,
  MockGateway,
  type MockFailure,
  type MockOperation,
} from 'study-gateway-client/testing';
import { bearer, startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';

type MockVariables = NonNullable<MockOperation['variables']>;

interface Body {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly {
    readonly path?: unknown;
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

const create = print(CreateStudyDocument);
const study = print(StudyDocument);
const studies = print(StudiesDocument);

/** A real gateway and one in memory, in front of as many studies; `send` returns what both answer. */
async function startBoth(token = 'demo-token', url?: string) {
  const emulator = await startTestEmulator();
  const gateway = await startTestGateway({ studyApiUrl: url ?? emulator.url });
  const { id } = await emulator.create({ description: 'Before' });
  const mock = new MockGateway([mockStudy({ id, description: 'Before' })]);
  const send = async (query: string, variables: MockVariables) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && bearer(token)) },
      body: JSON.stringify({ query, variables }),
    });
    return [await response.json(), mock.answer({ query, variables })] as [Body, Body];
  };
  return { id, mock, send };
}

/** Errors without texts and ids. */
function toErrors({ errors }: Body) {
  return errors?.map(({ path, extensions }) => {
    const { fieldErrors, studyId, ...others } = extensions;
    const found = { fieldErrors: fieldErrors && 'some', studyId: typeof studyId };
    return { path, extensions: { ...others, ...found, requestId: expect.any(String) } };
  });
}

it.for<[MockFailure, string]>([
  ['unauthenticated', ''],
  ['forbidden', 'demo-403'],
  ['notFound', 'demo-404'],
  ['conflict', 'demo-409'],
  ['rejected', 'demo-422'],
  ['rateLimited', 'demo-429'],
  ['unknown', 'demo-cut'],
  ['drift', 'demo-drift-missing'],
])('answers a write and a read with %s as the gateway does with the token "%s"', async (row) => {
  const [failure, token] = row;
  const { id, mock, send } = await startBoth(token);
  mock.failure = failure;

  const pairs = [await send(create, { input: { description: 'New' } })];
  // The emulator forgets a study of another token, and does not fail to find none.
  if (!['notFound', 'conflict', 'unknown'].includes(failure)) pairs.push(await send(study, { id }));

  for (const [real, mocked] of pairs) {
    expect(toErrors(mocked)).toEqual(toErrors(real));
    expect(studyProblem(mocked).kind).toBe(studyProblem(real).kind);
  }
});

it('says NOT_SENT as the gateway does in front of no Study API', async () => {
  const { mock, send } = await startBoth('demo-token', 'http://127.0.0.1:1');
  mock.failure = 'notSent';

  const [real, mocked] = await send(create, { input: {} });

  expect(studyProblem(mocked)).toEqual({
    ...studyProblem(real),
    message: expect.any(String),
    requestId: expect.any(String),
  });
});

it('creates, edits, reads and lists as the gateway does', async () => {
  const { id, send } = await startBoth();
  const pairs = [
    await send(create, { input: { description: 'New', audiences: ['All'] } }),
    await send(print(EditStudyDocument), { id, input: { progress: { total: 3 } } }),
    await send(study, { id }),
    await send(study, { id: randomUUID() }),
    await send(studies, { size: 1, page: 2 }),
    await send(print(EditStudyDocument), { id: randomUUID(), input: {} }),
  ];

  const toNames = (body: Body) => {
    const [[, root] = []] = Object.entries(body.data ?? {});
    const { items, ...page } = (root ?? {}) as { items?: readonly object[] };
    return {
      fields: Object.keys(page)
        .filter((name) => name !== '__typename')
        .toSorted(),
      counts: items && { ...page, __typename: undefined },
      items: items?.map((item) => (item as { description: unknown }).description),
      codes: body.errors?.map(({ extensions }) => extensions['code']),
    };
  };
  for (const [real, mocked] of pairs) {
    expect(toNames(mocked)).toEqual(toNames(real));
  }
});
