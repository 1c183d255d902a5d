import { hash, randomUUID } from 'node:crypto';
import type { GraphQLObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import type { Action, Authorize, CallerIdentity } from '../../src/index.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { issuer as issuerName, startIssuer } from '../support/issuer.js';
import { toLedger } from '../support/operations.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { toPage, wholeStudy } from '../support/studies.js';

const mine = '11111111-1111-4111-8111-111111111111';
const theirs = '22222222-2222-4222-8222-222222222222';
const ofMine = '0000000a-0000-4000-8000-000000000000';
const ofTheirs = '0000000b-0000-4000-8000-000000000000';
const missing = '0000000c-0000-4000-8000-000000000000';
const failing = '0000000e-0000-4000-8000-000000000000';

const toStudy = (id: string, projectId: string, more: object = {}) => ({
  ...wholeStudy,
  id,
  projectId,
  description: `of ${projectId === mine ? 'mine' : 'a secret of theirs'}`,
  ...more,
});

/** A Study API that knows nothing of callers: one study of each project, and every write is stored. */
const api: Respond = (response, call, request) => {
  const [path = '', query] = call.url.split('?');
  const id = path.split('/')[2];
  const studies = [
    toStudy(ofMine, mine),
    toStudy(ofTheirs, theirs),
    toStudy(ofMine.replace('a', 'd'), mine),
  ];
  const found = studies.find((study) => study.id === id);
  const answer = (body: object, status = 200) => answerJson(body, status)(response, call, request);
  if (call.method === 'POST')
    return answer(toStudy(randomUUID(), mine, JSON.parse(call.body)), 201);
  if (id === undefined)
    return answer(
      toPage(query ? studies.filter(({ projectId }) => query.includes(projectId)) : studies),
    );
  if (id === failing) return answer({ detail: 'out of order' }, 500);
  if (!found) return answer({ detail: 'no such study' }, 404);
  return answer(call.method === 'PATCH' ? { ...found, ...JSON.parse(call.body) } : found);
};

const isMine = (fields: { projectId?: unknown } | null | undefined): boolean =>
  fields?.projectId === mine;

/** Answers a write with a study of which only the id arrives, and a read with the whole study. */
const cutAfterId =
  (projectId: string): Respond =>
  (response, call, request) => {
    if (call.method === 'GET')
      return answerJson(toStudy(ofMine, projectId))(response, call, request);
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': '5000' });
    response.write(`{"id":"${ofMine}","title":"`, () => response.destroy());
  };

/** Admits to one project, as examples/additions/authorize.ts does. Lists need no filter here. */
const byProject: Authorize = async (_, { operation, args: { input }, result, readStudy }) => {
  if (result) return isMine('projectId' in result ? result : await readStudy());
  if (operation === 'createStudy') return isMine(input);
  if (operation === 'editStudy')
    return isMine(await readStudy()) && (input?.projectId === undefined || isMine(input));
  return true;
};

interface Asked {
  readonly caller: CallerIdentity;
  readonly action: Action;
}

/** Starts a gateway with an issuer, and records what `authorize` is asked. */
async function start(authorize: Authorize = byProject, options: TestGatewayOptions = {}) {
  const issuer = await startIssuer();
  const asked: Asked[] = [];
  const gateway = await startTestGateway({
    api,
    federation: true,
    ...issuer.options,
    ...options,
    additions: {
      ...options.additions,
      authorize: (caller, action) => {
        asked.push({ caller, action });
        return authorize(caller, action);
      },
    },
  });
  const authorization = `Bearer ${await issuer.sign({ projects: [mine] })}`;
  return {
    ...gateway,
    issuer,
    authorization,
    /** `create`, or `create: Study` when a study is about to be shown. */
    asked: () =>
      asked.map(({ action: { operation, result } }) =>
        result ? `${operation}: Study` : operation,
      ),
    actions: asked,
    ledger: () => toLedger(gateway),
    /** Runs an operation, and returns its data with code, outcome and id of each error, by path. */
    run: async (query: string, variables = {}, bearer = authorization) => {
      const { data, errors = [] } = await gateway.graphql(query, variables, {
        authorization: bearer,
      });
      const told = errors.map(({ path = [], message, extensions }) => {
        const { requestId: _, ...others } = extensions;
        return [path.join('.'), { message, ...others }];
      });
      return { data, errors: Object.fromEntries(told) as Record<string, unknown> };
    },
  };
}

const unsent = {
  message: 'You may not do this.',
  code: 'FORBIDDEN',
  outcome: 'NOT_SENT',
  retryable: false,
};
const unseen = { message: 'You may not see this.', code: 'FORBIDDEN', retryable: false };
const applied = { ...unseen, outcome: 'APPLIED' };

it('answers what the caller may do, with one call for each', async () => {
  const { run, ledger } = await start(byProject);

  expect(
    await run(
      `mutation ($id: UUID!, $input: CreateStudyInput!) {
          createStudy(input: $input) { projectId }
          editStudy(id: $id, input: { language: "fr" }) { id language }
        }`,
      { id: ofMine, input: { projectId: mine } },
    ),
  ).toEqual({
    data: { createStudy: { projectId: mine }, editStudy: { id: ofMine, language: 'fr' } },
    errors: {},
  });
  expect(ledger()).toEqual(['POST /studies', `GET /studies/${ofMine}`, `PATCH /studies/${ofMine}`]);
});

it('refuses what the caller may not do before a byte of the write is sent', async () => {
  const rows: readonly [field: string, read?: string][] = [
    [`createStudy(input: { projectId: "${theirs}" }) { id }`],
    ['createStudy(input: {}) { id }'],
    [`editStudy(id: "${ofTheirs}", input: { language: "fr" }) { id }`, ofTheirs],
    [`editStudy(id: "${ofTheirs}", input: { projectId: "${mine}" }) { id }`, ofTheirs],
    [`editStudy(id: "${ofMine}", input: { projectId: "${theirs}" }) { id }`, ofMine],
    [`editStudy(id: "${missing}", input: {}) { id }`, missing],
  ];
  const { run, ledger } = await start(byProject);

  for (const [field] of rows) {
    const [name = ''] = field.split('(');
    expect(await run(`mutation { ${field} }`)).toEqual({
      data: { [name]: null },
      errors: { [name]: unsent },
    });
  }
  const reads = rows.flatMap(([, id]) => (id === undefined ? [] : `GET /studies/${id}`));
  expect(ledger()).toEqual(reads);
});

it('shows no study of others to a read, and a missing study as null', async () => {
  const { run } = await start(byProject);
  const query = 'query Find($id: UUID!) { study(id: $id) { id description } }';

  expect(await run(query, { id: ofMine })).toEqual({
    data: { study: { id: ofMine, description: 'of mine' } },
    errors: {},
  });
  expect(await run(query, { id: ofTheirs })).toEqual({
    data: { study: null },
    errors: { study: unseen },
  });
  expect(await run(query, { id: missing })).toEqual({ data: { study: null }, errors: {} });
});

it('shows each listed study, or null with an error in its place', async () => {
  const { run } = await start(byProject);

  expect(await run('{ studies { items { id description } total } }')).toEqual({
    data: {
      studies: {
        items: [
          { id: ofMine, description: 'of mine' },
          null,
          { id: ofMine.replace('a', 'd'), description: 'of mine' },
        ],
        total: 3,
      },
    },
    errors: { 'studies.items.1': unseen },
  });
});

it('tells APPLIED, and neither the id nor a field, of a study that may not be seen after its write', async () => {
  const moving: Respond = (response, call, request) =>
    answerJson(toStudy(ofTheirs, theirs))(response, call, request);
  const { run, ledger } = await start((_, { result }) => !result || isMine(result), {
    api: moving,
  });

  expect(
    await run(`mutation {
        createStudy(input: {}) { id description }
        editStudy(id: "${ofTheirs}", input: {}) { id description }
      }`),
  ).toEqual({
    data: { createStudy: null, editStudy: null },
    errors: { createStudy: applied, editStudy: applied },
  });
  expect(ledger()).toEqual(['POST /studies', `PATCH /studies/${ofTheirs}`]);
});

const cutWrites = `mutation {
    createStudy(input: { projectId: "${mine}" }) { id }
    editStudy(id: "${ofMine}", input: {}) { id }
  }`;

it('leaves the id out of an error unless authorize answers true', async () => {
  for (const onShown of [() => false, () => 'yes', () => Promise.reject(new Error('no'))]) {
    const authorize = ((_, { result }) => !result || onShown()) as Authorize;
    const { run, actions } = await start(authorize, { api: cutAfterId(mine) });

    const { errors } = await run('mutation { createStudy(input: {}) { id } }');

    expect(errors).toMatchObject({
      createStudy: { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED' },
    });
    expect(JSON.stringify(errors)).not.toContain(ofMine);
    expect(actions.map(({ action: { result } }) => result)).toEqual([undefined, { id: ofMine }]);
  }
});

it('asks before the id in an error is shown, and reads the study if authorize wants it', async () => {
  const allowed = await start(byProject, { api: cutAfterId(mine) });
  const moved = await start(byProject, { api: cutAfterId(theirs) });
  const failed = { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', retryable: false };

  const { errors } = await allowed.run(cutWrites);
  expect(errors).toEqual({
    createStudy: expect.objectContaining({ ...failed, studyId: ofMine }),
    editStudy: expect.objectContaining({ ...failed, studyId: ofMine }),
  });
  // The edit is asked about before its PATCH, by a read of its own.
  expect(allowed.ledger()).toEqual([
    'POST /studies',
    `GET /studies/${ofMine}`,
    `GET /studies/${ofMine}`,
    `PATCH /studies/${ofMine}`,
  ]);

  const { createStudy } = (await moved.run(cutWrites)).errors;
  expect(createStudy).toEqual(expect.objectContaining(failed));
  expect(createStudy).not.toHaveProperty('studyId');
});

it('leaves the id out of the error of a repeat by another caller who may not see the study', async () => {
  const seers = new Set([hash('sha256', 'alice', 'base64url')]);
  const authorize: Authorize = ({ callerId }, { result }) => !result || seers.has(callerId);
  const options = { authMode: 'forward', api: cutAfterId(mine) } as const;
  const { run, ledger } = await start(authorize, options);
  const query = `mutation { createStudy(input: {}, idempotencyKey: "${randomUUID()}") { id } }`;

  const [first, again, others] = [
    await run(query, {}, 'Bearer alice'),
    await run(query, {}, 'Bearer alice'),
    await run(query, {}, 'Bearer bob'),
  ];

  expect(first.errors['createStudy']).toMatchObject({ outcome: 'APPLIED', studyId: ofMine });
  // A repeat reads the study with the caller's own token.
  expect(again).toEqual({ data: { createStudy: { id: ofMine } }, errors: {} });
  expect(others.errors['createStudy']).toMatchObject({ outcome: 'APPLIED' });
  expect(JSON.stringify(others)).not.toContain(ofMine);
  const read = `GET /studies/${ofMine}`;
  expect(ledger()).toEqual(['POST /studies', read, read]);
});

it('refuses entities of a router one by one, and asks once more for a study named twice', async () => {
  const { run, asked } = await start(byProject);
  const representations = [ofTheirs, ofMine, missing, ofTheirs, 'no id', failing].map((id) => ({
    __typename: 'Study',
    id,
  }));
  const query = `query ($representations: [_Any!]!) {
      _entities(representations: $representations) { __typename ... on Study { id description } }
    }`;

  const { data, errors } = await run(query, { representations });

  expect(data).toEqual({
    _entities: [
      null,
      { __typename: 'Study', id: ofMine, description: 'of mine' },
      null,
      null,
      null,
      null,
    ],
  });
  expect(errors).toEqual({
    '_entities.0': unseen,
    '_entities.3': unseen,
    '_entities.4': expect.objectContaining({ code: 'BAD_USER_INPUT' }),
    '_entities.5': expect.objectContaining({ code: 'UPSTREAM_ERROR' }),
  });
  expect(asked()).toEqual(['_entities', ...Array(3).fill('_entities: Study')]);
});

it('refuses everything unless authorize returns true', async () => {
  const query = `{ study(id: "${ofMine}") { id } studies { items { id } } }`;

  for (const authorize of [() => undefined, () => 'yes', async () => false]) {
    const { run, ledger } = await start(authorize as Authorize);
    expect(await run(query)).toEqual({
      data: { study: null, studies: null },
      errors: { study: unsent, studies: unsent },
    });
    expect(ledger()).toEqual([]);
  }
});

it('asks with the claims of the JWT, the arguments and the study, in this order', async () => {
  const { run, actions } = await start();

  await run(`mutation { createStudy(input: { projectId: "${mine}", language: "fr" }) { id } }`);

  const caller = expect.objectContaining({
    callerId: `jwt:${issuerName}:ada`,
    mayWrite: true,
    claims: expect.objectContaining({ iss: issuerName, sub: 'ada', projects: [mine] }),
  });
  const [before, after] = [undefined, expect.objectContaining({ projectId: mine })];
  expect(actions).toEqual(
    [before, after].map((result) => ({
      caller,
      action: {
        operation: 'createStudy',
        args: { input: expect.objectContaining({ projectId: mine, language: 'fr' }) },
        readStudy: expect.any(Function),
        result,
      },
    })),
  );
});

it('asks with no claims for an API key, and with the hash of the token in the mode forward', async () => {
  const keyed = await start(byProject, {
    apiKeys: [{ name: 'robot', sha256: hash('sha256', 'robot-key'), mayWrite: false }],
  });
  const forward = await start(byProject, { authMode: 'forward' });
  const query = '{ studies { items { id } } }';

  await keyed.run(query, {}, 'Bearer robot-key');
  await forward.run(query, {}, 'Bearer forwarded');

  expect(keyed.actions[0]?.caller).toMatchObject({
    callerId: 'key:robot',
    mayWrite: false,
    claims: {},
  });
  expect(forward.actions[0]?.caller).toEqual({
    callerId: hash('sha256', 'forwarded', 'base64url'),
    mayWrite: true,
    claims: {},
  });
});

it('refuses when authorize throws, and logs where, but not the message', async () => {
  const { run, log, ledger } = await start(() => {
    throw Object.assign(new TypeError('Bearer a-secret'), { token: 'a-secret' });
  });

  expect(await run('mutation { createStudy(input: {}) { id } }')).toEqual({
    data: { createStudy: null },
    errors: { createStudy: unsent },
  });
  expect(ledger()).toEqual([]);
  expect(log).toContainEqual(
    expect.objectContaining({
      msg: 'authorize failed',
      operation: 'createStudy',
      requestId: expect.any(String),
      error: 'TypeError',
      at: expect.arrayContaining([expect.stringContaining('authorize.test.ts')]),
    }),
  );
  expect(JSON.stringify(log)).not.toContain('a-secret');
});

it('asks before every root field of the schema', async () => {
  const { run, asked, ledger } = await start(() => false);
  const { createSubgraph } = await import('../../src/features/federation/subgraph.js');
  const all = createSubgraph(schema);
  const calls = {
    study: `study(id: "${ofMine}") { id }`,
    studies: 'studies { total }',
    _entities: '_entities(representations: []) { __typename }',
    createStudy: 'createStudy(input: {}) { id }',
    editStudy: `editStudy(id: "${ofMine}", input: {}) { id }`,
  };
  const toNames = (type: GraphQLObjectType | null | undefined) =>
    Object.keys(type?.getFields() ?? {});

  for (const [name, call] of Object.entries(calls)) {
    const kind = toNames(all.getMutationType()).includes(name) ? 'mutation' : 'query';
    expect(await run(`${kind} { ${call} }`)).toMatchObject({ errors: { [name]: unsent } });
  }

  const names = [...toNames(all.getQueryType()), ...toNames(all.getMutationType())];
  expect(asked().toSorted()).toEqual(names.filter((name) => name !== '_service').toSorted());
  expect(ledger()).toEqual([]);
});
