import { parse, validate } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from 'study-gateway-emulator';
import { schema } from '../../src/graphql/schema.js';
import { startTestGateway } from '../support/gateway.js';
import type { Headers } from '../support/post.js';

/** `Accept` header of a browser that opens a page. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** The operation that Sandbox shows initially. */
interface Prefilled {
  readonly document: string;
  readonly variables: { input: { projectId: string } };
  readonly headers: Headers;
}

/** Returns the configuration that the page passes to Sandbox. */
function readSandboxConfig(page: string): { initialState: Prefilled; runTelemetry: boolean } {
  const config = /var embeddedSandboxConfig = (\{.*\});/.exec(page)?.[1];
  if (config === undefined) throw new Error(`The page embeds no Sandbox:\n${page}`);
  return JSON.parse(config);
}

describe('Sandbox', () => {
  it('opens with an operation that creates a study by one click', async () => {
    const emulator = await startEmulator({ host: '127.0.0.1', port: 0, database: ':memory:' });
    onTestFinished(() => emulator.close());
    const { send } = await startTestGateway({
      studyApiUrl: emulator.url,
      demoToken: emulator.token,
    });

    const response = await send({ headers: browser });
    const { document, variables, headers } = readSandboxConfig(await response.text()).initialState;

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers).toEqual({ authorization: `Bearer ${emulator.token}` });
    expect(validate(schema, parse(document))).toEqual([]);
    const created = await send({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: document, variables, operationName: 'CreateStudy' }),
    });
    expect(await created.json()).toEqual({
      data: {
        createStudy: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), ...variables.input },
      },
    });
  });

  it('shows where to insert the token of another Study API, and sends no telemetry', async () => {
    const { send } = await startTestGateway({ demoToken: undefined });

    const page = readSandboxConfig(await (await send({ headers: browser })).text());

    expect(page.initialState.headers).toEqual({ authorization: 'Bearer <API_TOKEN>' });
    expect(page.runTelemetry).toBe(false);
  });

  it('is not served when it is off', async () => {
    const { send } = await startTestGateway({ sandbox: false });

    const response = await send({ headers: browser });

    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST' } }],
    });
  });
});

describe('introspection', () => {
  it.for(['{ __schema { types { name } } }', '{ __type(name: "Study") { name } }'])(
    'is refused when it is off: %s',
    async (query) => {
      const { graphql } = await startTestGateway({ introspection: false });

      const result = await graphql(query);

      expect(await graphql('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
      expect(result).toEqual({
        errors: [
          {
            message: expect.stringContaining('introspection is not allowed'),
            locations: [{ line: 1, column: 3 }],
            extensions: {
              code: 'GRAPHQL_VALIDATION_FAILED',
              validationErrorCode: 'INTROSPECTION_DISABLED',
              outcome: 'NOT_SENT',
              retryable: false,
              requestId: expect.any(String),
            },
          },
        ],
      });
    },
  );
});
