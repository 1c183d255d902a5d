import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;

const operations: readonly [string, string][] = [
  ['a field of createStudy', 'createStudy(input: {}) { id status @skip(if: $c) }'],
  ['a fragment', 'createStudy(input: {}) { id ...F @include(if: $c) }'],
  ['a root field', 'createStudy(input: {}) @skip(if: $c) { id }'],
  [
    'a field of the second mutation',
    'a: createStudy(input: {}) { id } b: createStudy(input: {}) { id @skip(if: $c) }',
  ],
];

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s', (_, plans) => {
  it.each(operations)(
    'null for the condition of %s is refused before any call',
    async (__, body) => {
      const gateway = await startTestGateway({ plans });
      const fragment = body.includes('...F') ? 'fragment F on Study { status }' : '';

      const query = `mutation ($c: Boolean = true) { ${body} } ${fragment}`;

      const response = await gateway.post({ query, variables: { c: null } });

      const message = '$c must not be null: a directive needs true or false.';
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 400,
        body: {
          errors: [
            {
              message,
              locations: [{ line: 1, column: query.indexOf('$c') + 1 }],
              extensions: {
                code: 'BAD_USER_INPUT',
                outcome: 'NOT_SENT',
                retryable: false,
                requestId: expect.any(String),
              },
            },
          ],
        },
      });
      expect(gateway.calls).toEqual([]);
    },
  );
});

it('accepts null for a variable that only a directive of another operation uses', async () => {
  const gateway = await startTestGateway();

  const response = await gateway.post({
    query: `mutation A($c: String = "a") { createStudy(input: { description: $c }) { id } }
        mutation B($c: Boolean = true) { createStudy(input: {}) { id @skip(if: $c) } }`,
    operationName: 'A',
    variables: { c: null },
  });

  expect(await response.json()).toEqual({ data: { createStudy: { id } } });
});

it('accepts null for variables that no directive uses', async () => {
  const gateway = await startTestGateway();

  const { data } = await gateway.graphql(
    'mutation ($input: CreateStudyInput!, $key: UUID = "6f0d2c1e-4b7a-4e59-8c3d-2a1b0c9d8e7f", $c: Boolean = true) { createStudy(input: $input, idempotencyKey: $key) { id @include(if: $c) } }',
    { input: {}, key: null },
  );

  expect(data).toEqual({ createStudy: { id } });
});
