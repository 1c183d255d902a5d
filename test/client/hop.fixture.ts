import type { ServerResponse } from 'node:http';
import { print, type DocumentNode } from 'graphql';
import { onTestFinished } from 'vitest';
import type { GraphQLErrorLike } from '../../packages/client/src/answer.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { toPostInit } from '../support/post.js';
import { startStudyApi, type ReceivedCall } from '../support/study-api.js';

/** What becomes of the gateway's answer on its way; `text` is its body. */
export type Hop = (response: ServerResponse, text: string) => void;

export interface TestHop extends TestGateway {
  /** How many requests came from the client, each of which the gateway has answered. */
  readonly requests: () => number;
  /** Runs an operation as a client with `fetch` alone. */
  readonly ask: (document: DocumentNode, variables?: object) => Promise<unknown>;
}

/** A gateway behind a server that hands on every request, and does with the answers what it likes. */
export async function startHop(hop: Hop, options: TestGatewayOptions = {}): Promise<TestHop> {
  const gateway = await startTestGateway(options);
  const forward = async ({ body, headers }: ReceivedCall): Promise<string> => {
    const answer = await gateway.send({
      method: 'POST',
      headers: {
        'content-type': headers['content-type'] ?? '',
        authorization: headers.authorization ?? '',
      },
      body,
    });
    return answer.text();
  };
  let isOver = false;
  const server = await startStudyApi((response, call) => {
    void forward(call).then(
      (text) => hop(response, text),
      (error: unknown) => {
        // A client that left may have sent its request all the same: by now the gateway is closed.
        if (!isOver) throw error;
        response.destroy();
      },
    );
  });
  onTestFinished(() => {
    isOver = true;
  });
  return {
    ...gateway,
    url: server.url,
    requests: () => server.calls.length,
    ask: async (document, variables = {}) => {
      const init = toPostInit({ query: print(document), variables });
      return (await fetch(`${server.url}/graphql`, init)).json();
    },
  };
}

/** The answer is lost: the gateway has done its work, and the client never hears of it. */
export const cut: Hop = (response) => response.destroy();

/** The answer ends in the middle. */
export const halve: Hop = (response, text) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};

/** Hands on what the gateway said. */
export const pass: Hop = (response, text) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(text);
};

/** A page of the hop's own in place of the answer. */
export function toPage(status: number): Hop {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end('<h1>Sorry</h1>');
  };
}

/** Changes the errors of the gateway's answers on their way to the client. */
export function changeErrors(change: (errors: readonly GraphQLErrorLike[]) => unknown): Hop {
  return (response, text) => {
    const { errors, ...others } = JSON.parse(text) as { errors?: readonly GraphQLErrorLike[] };
    pass(response, JSON.stringify(errors ? { errors: change(errors), ...others } : others));
  };
}

/** Returns the error with `retryable: true`. */
export function toRetryable(error: GraphQLErrorLike): GraphQLErrorLike {
  return { ...error, extensions: { ...(error.extensions as object), retryable: true } };
}

/** Judges each error without regard to the others: a 429 is retryable, whatever became of other root fields. */
export const judgeFieldsAlone = changeErrors((errors) =>
  errors.map((error) => {
    const { code } = error.extensions as { readonly code?: unknown };
    return code === 'RATE_LIMITED' ? toRetryable(error) : error;
  }),
);
