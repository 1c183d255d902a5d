import { ApolloServer, HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { buildSchema, type DocumentNode } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestGateway } from '../support/gateway.js';

const schema = buildSchema('type Query { a: String }');

interface Started {
  readonly run: (query: string) => Promise<unknown>;
  /** Names of the hooks that Apollo has called, in order. */
  readonly calls: readonly string[];
}

/** Starts an Apollo Server that records its calls of the document store and of its plugins. */
function start(...plugins: ApolloServerPlugin[]): Started {
  const calls: string[] = [];
  const documents = new Map<string, DocumentNode>();
  let stored: DocumentNode | undefined;
  const apollo = new ApolloServer({
    schema,
    stopOnTerminationSignals: false,
    documentStore: {
      get: async (key) => documents.get(key),
      set: async (key, document) => {
        calls.push('set');
        stored = document;
        documents.set(key, document);
      },
      delete: async (key) => documents.delete(key),
    },
    plugins: [
      {
        requestDidStart: async () => ({
          async didResolveOperation({ document }) {
            calls.push(document === stored ? 'didResolveOperation' : 'another document');
          },
          async responseForOperation({ document }) {
            calls.push(document === stored ? 'responseForOperation' : 'another document');
            return null;
          },
          async executionDidStart() {
            calls.push('executionDidStart');
          },
        }),
      },
      ...plugins,
    ],
  });
  onTestFinished(() => apollo.stop());
  return { calls, run: async (query) => (await apollo.executeOperation({ query })).body };
}

describe("Apollo's document store, where src/execution/planned-execution.ts makes its plans", () => {
  it('gets a document before Apollo asks plugins for a response to its first operation', async () => {
    const { run, calls } = start();

    await run('{ a }');

    expect(calls).toEqual([
      'set',
      'didResolveOperation',
      'responseForOperation',
      'executionDidStart',
    ]);
  });

  it('gets a validated document only once, and Apollo uses the same object later', async () => {
    const { run, calls } = start();
    await run('{ a }');

    await run('{ a }');

    expect(calls.filter((call) => call === 'set')).toHaveLength(1);
    expect(calls).not.toContain('another document');
  });

  it('gets no invalid document', async () => {
    const { run, calls } = start();

    await run('{ b }');

    expect(calls).toEqual([]);
  });
});

describe('Apollo Server', () => {
  it('executes nothing after a plugin has answered in responseForOperation', async () => {
    const body = { kind: 'single', singleResult: { data: { a: 'planned' } } } as const;
    const http = { headers: new HeaderMap() };
    const { run, calls } = start({
      requestDidStart: async () => ({ responseForOperation: async () => ({ http, body }) }),
    });

    expect(await run('{ a }')).toEqual(body);
    expect(calls).not.toContain('executionDidStart');
  });

  it('executes nothing after an error in didResolveOperation', async () => {
    const { run, calls } = start({
      requestDidStart: async () => ({
        didResolveOperation: () => Promise.reject(new Error('refused')),
      }),
    });

    expect(await run('{ a }')).toMatchObject({
      singleResult: { errors: [{ message: 'refused' }] },
    });
    expect(calls).toEqual(['set', 'didResolveOperation']);
  });

  it('calls didResolveOperation without an operation when the request names no operation of the document', async () => {
    let operation: unknown = 'not called';
    const { run } = start({
      requestDidStart: async () => ({
        didResolveOperation: async (context) => void (operation = context.operation),
      }),
    });

    await run('query One { a } query Other { a }');

    expect(operation).toBeUndefined();
  });
});

it("Apollo's HTTP layer writes the errors of a response first, as src/errors/error-body.ts reads it", async () => {
  const apollo = new ApolloServer({ schema, stopOnTerminationSignals: false });
  onTestFinished(() => apollo.stop());
  await apollo.start();
  const ask = async (query: string) => {
    const { body } = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: 'POST',
        headers: new HeaderMap([['content-type', 'application/json']]),
        search: '',
        body: { query },
      },
      context: async () => ({}),
    });
    return body.kind === 'complete' ? body.string : '';
  };

  expect(await ask('{ b }')).toMatch(/^\{"errors":/);
  expect(await ask('{ a }')).toMatch(/^\{"data":/);
});

it("Apollo's landing page has one element and one style of Sandbox, beside which src/features/explorer/sandbox.plugin.ts writes a link", async () => {
  const { send } = await startTestGateway();

  const page = await (await send({ headers: { accept: 'text/html' } })).text();

  const linked =
    /<main class="fallback">(?:(?!<\/main>)[^])*<a href="explorer">(?:(?!<\/main>)[^])*<\/main>\s*<style nonce=\w+>[^<]*#embeddableSandbox:empty \{[^<]*<\/style>\s*<div id="embeddableSandbox"><\/div>/g;
  expect(page.match(linked)).toHaveLength(1);
});
