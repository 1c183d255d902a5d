import { hash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import manifest from '../../schema/trusted-documents.json' with { type: 'json' };
import { createStudy, run, study, toLedger } from '../support/operations.js';
import { createDirectory } from '../support/process.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { wholeStudy } from '../support/studies.js';

const ownDocuments = 'schema/trusted-documents.json';
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
const sha256 = (text: string): string => hash('sha256', text);
const createdId = sha256(createStudy.document);
const readId = sha256(study.document);

const startTrusting = (trustedDocuments = ownDocuments): Promise<TestGateway> =>
  startTestGateway({ trustedDocuments });

function writeManifest(content: unknown): string {
  const path = join(createDirectory(), 'manifest.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function get({ url }: TestGateway, search: Record<string, string>): Promise<Response> {
  return fetch(`${url}/graphql?${new URLSearchParams(search).toString()}`, { headers });
}

const refusal = {
  errors: [
    {
      message: 'This gateway runs trusted documents only: POST the id or the whole text of one.',
      extensions: {
        code: 'BAD_REQUEST',
        outcome: 'NOT_SENT',
        retryable: false,
        requestId: expect.any(String),
      },
    },
  ],
};

/** Returns the status and the parsed body of a response. */
async function read(response: Response): Promise<[number, unknown]> {
  return [response.status, await response.json()];
}

it.each<[string, object]>([
  ['its hash', { extensions: { persistedQuery: { version: 1, sha256Hash: createdId } } }],
  ['id', { id: createdId }],
  ['documentId', { documentId: createdId }],
  ['documentId with a prefix', { documentId: `sha256:${createdId}` }],
  ['its text, and null for the rest', { query: createStudy.document, id: null, extensions: null }],
  [
    'its text and its hash',
    {
      query: createStudy.document,
      extensions: { persistedQuery: { version: 1, sha256Hash: createdId } },
    },
  ],
])('runs a document by %s', async (_, named) => {
  const gateway = await startTrusting();

  const response = await gateway.post({ ...named, variables: createStudy.variables });

  expect(await response.json()).toEqual({ data: { createStudy: wholeStudy } });
  expect(toLedger(gateway)).toEqual([createStudy.request]);
});

it('refuses every other document, every GET, and the page for a browser', async () => {
  const gateway = await startTrusting();
  const evil = 'mutation { createStudy(input: {}) { id } }';
  const hashed = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: text } });

  const answers = [
    ...[
      { query: evil },
      { query: evil, id: readId },
      { query: evil, extensions: hashed(readId) },
      { query: evil, extensions: hashed(sha256(evil)) },
      { query: evil, extensions: { persistedQuery: 7 } },
      { id: readId, documentId: createdId },
      { id: 'x' },
      { id: readId, query: { kind: 'Document' } },
      { query: '' },
      {},
      { query: getIntrospectionQuery() },
    ].map((body) => gateway.post(body)),
    get(gateway, { query: study.document }),
    get(gateway, { id: readId }),
    get(gateway, { extensions: JSON.stringify(hashed(readId)) }),
    fetch(`${gateway.url}/graphql`, { headers: { accept: 'text/html' } }),
  ].map(async (answer) => read(await answer));

  expect(await Promise.all(answers)).toEqual(answers.map(() => [400, refusal]));
  expect(gateway.calls).toEqual([]);
});

describe('a manifest', () => {
  const query = '{ __typename }';
  const operation = { id: 'ping', name: 'Ping', type: 'query', body: query };
  const apollo = { format: 'apollo-persisted-query-manifest', version: 1 };

  it.each<[string, unknown]>([
    ['of Apollo', { ...apollo, operations: [operation] }],
    ['of ids and texts', { ping: query }],
  ])('may have the format %s', async (_, content) => {
    const gateway = await startTrusting(writeManifest(content));

    const extensions = { persistedQuery: { version: 1, sha256Hash: 'ping' } };
    const bodies = [
      { id: 'ping' },
      { query },
      { documentId: `sha256:${sha256(query)}` },
      // Apollo, which knows hashes alone, must not see this id.
      { extensions },
    ];
    const answers = bodies.map(async (body) => (await gateway.post(body)).json());

    expect(await Promise.all(answers)).toEqual(
      answers.map(() => ({ data: { __typename: 'Query' } })),
    );
    expect((await run(gateway, study)).status).toBe(400);
  });

  it.each<[string, unknown, string?]>([
    ['is no JSON', '{'],
    ['is of another version', { ...apollo, version: 2, operations: [operation] }],
    ['has no operation', { ...apollo, operations: [] }],
    [
      'gives a document the hash of another',
      { [sha256('{ a: __typename }')]: query, a: '{ a: __typename }' },
      `two documents have the id "${sha256('{ a: __typename }')}".`,
    ],
  ])('that %s is refused at the start', async (_, content, problem) => {
    const path = writeManifest(content);
    const unreadable = `${path} cannot be read, or is not an Apollo manifest of version 1, or an object of documents by id.`;

    await expect(startTrusting(path)).rejects.toMatchObject({
      name: 'ConfigError',
      message: `TRUSTED_DOCUMENTS: ${problem ?? unreadable}`,
    });
  });

  it('stands beside others, and is read again when its file changes', async () => {
    const other = writeManifest({ other: '{ other: __typename }' });
    const path = writeManifest({ ping: query });
    const gateway = await startTrusting(`${path}, ${other}`);
    const ask = async (id: string) => (await gateway.post({ id })).status;
    const put = (text: string): void => {
      writeFileSync(`${path}.next`, text);
      renameSync(`${path}.next`, path);
    };
    const logs = (msg: string) => gateway.log.filter((line) => line['msg'] === msg).length;
    // The files are polled each second.
    const poll = (msg: string) =>
      vi.waitFor(() => expect(logs(msg)).toBe(1), { interval: 5, timeout: 10_000 });
    expect([await ask('ping'), await ask('other'), await ask('pong')]).toEqual([200, 200, 400]);

    put('{');
    await poll('the trusted documents cannot be read');
    expect([await ask('ping'), await ask('other')]).toEqual([200, 200]);

    put(JSON.stringify({ pong: '{ pong: __typename }' }));
    await poll('the trusted documents were changed');
    expect([await ask('ping'), await ask('other'), await ask('pong')]).toEqual([400, 200, 200]);
    expect(logs('the trusted documents cannot be read')).toBe(1);
  });

  it('of the package has each operation with and without __typename, as three printers write it', () => {
    const names = manifest.operations.map(({ name, type }) => `${type} ${name}`);

    expect(names).toEqual(
      [
        'mutation CreateStudy',
        'mutation EditStudy',
        'query Study',
        'query Studies',
        'query StudiesProgress',
      ].flatMap((name) => Array<string>(6).fill(name)),
    );
    // StudiesProgress has no fragment: two printers write it alike.
    expect(new Set(manifest.operations.map(({ id }) => id)).size).toBe(names.length - 2);
    expect(manifest.operations.map(({ id }) => id)).toEqual(
      manifest.operations.map(({ body }) => sha256(body)),
    );
  });
});
