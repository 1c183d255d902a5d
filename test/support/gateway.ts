import { hash } from 'node:crypto';
import { print, type ExecutionResult } from 'graphql';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { pino, type Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { startGateway, type Additions, type GatewayOptions } from '../../src/gateway.js';
import { toPostInit, type Headers } from './post.js';
import { answerJson, startStudyApi, type ReceivedCall, type Respond } from './study-api.js';
import { wholeStudy } from './studies.js';

type Parts = Omit<GatewayOptions, 'isProduction' | 'proxies' | 'demoToken' | 'logger'>;
type OptionsOf<Part extends keyof Parts> = Partial<Omit<NonNullable<Parts[Part]>, 'baseUrl'>>;

/** Options of every part, without the part: no two parts have an option of the same name. */
export interface TestGatewayOptions
  extends
    OptionsOf<'rest'>,
    OptionsOf<'auth'>,
    OptionsOf<'shared'>,
    OptionsOf<'keyLimits'>,
    OptionsOf<'memory'>,
    OptionsOf<'http'>,
    OptionsOf<'limits'>,
    OptionsOf<'graphql'>,
    OptionsOf<'telemetry'>,
    Partial<Pick<GatewayOptions, 'isProduction' | 'proxies' | 'demoToken'>> {
  /** Answers the calls to the Study API. Default: 200 with a complete study. */
  readonly api?: Respond;
  /** URL of a Study API that is already running, used instead of `api`. */
  readonly studyApiUrl?: string;
  readonly additions?: Additions;
  /** With `false`, graphql-js executes all operations, because the gateway has one more plugin. Default: true. */
  readonly plans?: boolean;
}

export interface TestGateway {
  readonly url: string;
  readonly metricsUrl: string | undefined;
  /** The calls that `api` received; empty if `studyApiUrl` was given. */
  readonly calls: readonly ReceivedCall[];
  /** The log lines of the gateway, parsed. */
  readonly log: readonly Record<string, unknown>[];
  /** Runs an operation over HTTP, and returns its GraphQL result. */
  readonly graphql: <TData = Record<string, unknown>, TVariables = Record<string, unknown>>(
    document: string | TypedDocumentNode<TData, TVariables>,
    variables?: TVariables,
    headers?: Headers,
  ) => Promise<ExecutionResult<TData>>;
  /** Sends `POST /graphql` with JSON and the test's token. `headers` override the defaults; '' removes a header. */
  readonly post: (body: object | string, headers?: Headers) => Promise<Response>;
  /** Sends a request with any method, headers and body to `/graphql`. */
  readonly send: (init: RequestInit) => Promise<Response>;
  /** Stops the gateway before the test ends. */
  readonly close: () => Promise<void>;
}

/** A gateway with a token of its own, whose only caller has the test's token as API key. */
export const ownToken = {
  authMode: 'service',
  studyApiToken: 'own',
  apiKeys: [{ name: 'test', sha256: hash('sha256', 'test-token'), mayWrite: true }],
} satisfies TestGatewayOptions;

/** Options whose default is a constant, and which no environment variable sets. */
const constants: Readonly<Record<string, keyof Parts>> = {
  connectTimeoutMs: 'rest',
  circuitOpenMs: 'rest',
  maxQueue: 'rest',
  maxAllAnswersBytes: 'memory',
  maxKeys: 'keyLimits',
  ttlMs: 'keyLimits',
  maxAllBodiesBytes: 'memory',
  maxUnwrittenBytes: 'memory',
  maxReadMs: 'memory',
};

/** Returns the default configuration with each option in the part that it belongs to. */
function toGatewayOptions(
  {
    isProduction = false,
    proxies,
    demoToken,
    ...given
  }: Omit<TestGatewayOptions, 'api' | 'studyApiUrl' | 'additions' | 'plans'>,
  baseUrl: URL,
  logger: Logger,
): GatewayOptions {
  const { rest, auth, shared, http, limits, graphql, telemetry } = readConfig({});
  const parts = {
    rest: { ...rest, baseUrl },
    auth,
    shared,
    keyLimits: {},
    memory: {},
    http,
    limits,
    graphql,
    telemetry,
  };
  const toPart = (option: string): keyof Parts => {
    const part =
      constants[option] ?? Object.entries(parts).find(([, defaults]) => option in defaults)?.[0];
    if (part === undefined) throw new Error(`the gateway has no option ${option}`);
    return part as keyof Parts;
  };
  for (const [option, value] of Object.entries(given))
    Object.assign(parts[toPart(option)], { [option]: value });
  return { ...parts, isProduction, proxies, demoToken, logger };
}

/** Starts a gateway on a free port, and a Study API that answers as `api` does. Both close when the test ends. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { api = answerJson(wholeStudy), studyApiUrl, plans = true, ...others } = options;
  const { additions = {}, ...gatewayOptions } = others;
  const plugins = [...(additions.plugins ?? []), ...(plans ? [] : [{}])];
  const studyApi = studyApiUrl ? { url: studyApiUrl, calls: [] } : await startStudyApi(api);
  const log: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'debug' },
    { write: (line: string) => void log.push(JSON.parse(line)) },
  );
  const baseUrl = new URL(studyApi.url);
  const gateway = await startGateway(
    toGatewayOptions({ port: 0, ...gatewayOptions }, baseUrl, logger),
    { ...additions, plugins },
  );
  const { close } = gateway;
  onTestFinished(close);

  const send: TestGateway['send'] = (init) => {
    const headers = new globalThis.Headers(init.headers);
    // With `isProduction`, an idle keep-alive connection delays the shutdown of the gateway by 1 s.
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
