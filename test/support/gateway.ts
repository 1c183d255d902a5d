import { print, type ExecutionResult } from 'graphql';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { startGateway, type GatewayOptions } from '../../src/gateway.js';
import { toPostInit, type Headers } from './post.js';
import { answerJson, startStudyApi, type ReceivedCall, type Respond } from './study-api.js';
import { wholeStudy } from './studies.js';

export interface TestGatewayOptions extends Partial<
  Omit<GatewayOptions, 'studyApiUrl' | 'logger'>
> {
  /** How the Study API answers. Default: 200 with a whole study. */
  readonly api?: Respond;
  /** A Study API that runs already, in place of `api`. */
  readonly studyApiUrl?: string;
}

export interface TestGateway {
  readonly url: string;
  readonly metricsUrl: string | undefined;
  /** The calls that reached the Study API of `api`. */
  readonly calls: readonly ReceivedCall[];
  /** What was logged, a parsed line each. */
  readonly log: readonly Record<string, unknown>[];
  /** Runs an operation, and returns its result. */
  readonly graphql: <TData = Record<string, unknown>, TVariables = Record<string, unknown>>(
    document: string | TypedDocumentNode<TData, TVariables>,
    variables?: TVariables,
    headers?: Headers,
  ) => Promise<ExecutionResult<TData>>;
  /** `POST /graphql` of JSON with the test's token; `headers` override, '' leaves one out. */
  readonly post: (body: object | string, headers?: Headers) => Promise<Response>;
  /** Sends anything to `/graphql`. */
  readonly send: (init: RequestInit) => Promise<Response>;
  /** Stops it before the test ends. */
  readonly close: () => Promise<void>;
}

/** A gateway on a free port, in front of a Study API that answers as told. Both close when the test ends. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { api = answerJson(wholeStudy), studyApiUrl, ...gatewayOptions } = options;
  const studyApi = studyApiUrl ? { url: studyApiUrl, calls: [] } : await startStudyApi(api);
  const log: Record<string, unknown>[] = [];
  const gateway = await startGateway({
    ...readConfig({}),
    port: 0,
    studyApiUrl: new URL(studyApi.url),
    logger: pino({ level: 'debug' }, { write: (line: string) => void log.push(JSON.parse(line)) }),
    ...gatewayOptions,
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= gateway.close());
  onTestFinished(close);

  const send: TestGateway['send'] = (init) => {
    const headers = new globalThis.Headers(init.headers);
    // In production an idle connection delays the end of the gateway by 1 s.
    if (gatewayOptions.isProduction) headers.set('connection', 'close');
    return fetch(`${gateway.url}/graphql`, { ...init, headers });
  };
  const post: TestGateway['post'] = (body, headers) => send(toPostInit(body, headers));
  return {
    url: gateway.url,
    metricsUrl: gateway.metricsUrl,
    close,
    calls: studyApi.calls,
    log,
    send,
    post,
    graphql: async (document, variables, headers) => {
      const query = typeof document === 'string' ? document : print(document);
      const response = await post({ query, variables }, headers);
      return (await response.json()) as ExecutionResult<never>;
    },
  };
}
