import fc from 'fast-check';
import { createStudyInput } from './arbitraries.fixture.js';
import { document } from './documents.fixture.js';

/** Generates values of `sound`, and sometimes any JSON value. */
function orJunk<T>(sound: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<unknown> {
  return fc.oneof({ weight, arbitrary: sound }, { weight: 1, arbitrary: fc.jsonValue() });
}

const variables = fc.record(
  { input: orJunk(createStudyInput), id: orJunk(fc.uuid()), a: orJunk(fc.array(fc.string()), 4) },
  { noNullPrototype: true },
);

/** The extension of a persisted query whose hash belongs to no document. */
const wrongHash = { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } };

/** Generates bodies of GraphQL requests, with each part valid or invalid. */
export const graphqlBody = fc
  .tuple(
    orJunk(document, 30),
    orJunk(variables, 20),
    orJunk(fc.constantFrom(undefined, undefined, null, 'M', 'N'), 20),
    orJunk(fc.constantFrom(undefined, null, {}, wrongHash), 20),
  )
  .map(([query, variables, operationName, extensions]) => ({
    query,
    variables,
    operationName,
    extensions,
  }));

const method = fc.oneof(
  { weight: 3, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'TRACE', 'FOO', 'PRI') },
);
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/graphql', '/graphql?query={__typename}') },
  { weight: 2, arbitrary: fc.constantFrom('/health/ready', '/', '*', '//', '/%') },
  { weight: 1, arbitrary: fc.webPath() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii' }) },
);
const header = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(
      fc.constantFrom('accept', 'origin', 'cookie', '__proto__', 'x-request-id', 'constructor'),
      fc.constantFrom('*/*', 'text/html', 'application/graphql-response+json', '0', 'null'),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('connection', 'expect', 'content-type', 'authorization', 'content-encoding'),
      fc.constantFrom('close', 'upgrade', '100-continue', 'application/json', 'Bearer b', 'gzip'),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom('transfer-encoding', 'content-length', 'host', 'upgrade', 'te'),
      fc.constantFrom('chunked', '0', '5', 'h2c', 'trailers', '-1'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.string({ minLength: 1 }), fc.string({ unit: 'binary-ascii' })),
  },
);
const body = fc.oneof(
  { weight: 4, arbitrary: graphqlBody.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
);

/** Generates bytes that a client may send over a connection, from valid HTTP requests to arbitrary bytes. */
export const rawRequest = fc
  .tuple(method, path, fc.array(header, { maxLength: 4 }), body, fc.boolean())
  .map(([method, path, headers, body, isSound]) => {
    const lines = headers.map(([name, text]) => `${name}: ${text}`);
    if (isSound)
      lines.push(
        'content-type: application/json',
        'authorization: Bearer test-token',
        `content-length: ${body.length}`,
      );
    const head = [`${method} ${path} HTTP/1.1`, 'host: localhost', ...lines, '', ''].join('\r\n');
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  });
