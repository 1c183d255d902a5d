import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import { AnswerBudget } from './answer-budget.js';
import { createConnector } from './connector.js';
import { Exchange, type RawAnswer } from './exchange.js';
import { decodeBody } from './json-body.js';
import type { JsonCall } from './rest-call.js';
import { toHeaders, type RestClientOptions } from './rest-client.js';

type RawClientOptions = Pick<
  RestClientOptions,
  'baseUrl' | 'deadlineMs' | 'connectTimeoutMs' | 'maxAnswerBytes'
>;

interface RawCall extends Pick<JsonCall, 'path' | 'template'> {
  /** `null` sends none. */
  readonly token: string | null;
}

/** An answer of any status. */
export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** `undefined` when it cannot be decoded. */
  readonly body: Buffer | undefined;
  /** Length of the body before decoding. */
  readonly bytes: number;
}

/** Makes one exchange for each call: without retries, queue and circuit breaker, each on a connection of its own. */
export interface RawClient {
  /** @throws RestError when no whole answer came; a status is no error */
  get(call: RawCall): Promise<RawReply>;
  close(): Promise<void>;
}

export function createRawClient(options: RawClientOptions): RawClient {
  const { baseUrl, deadlineMs, connectTimeoutMs, maxAnswerBytes: maxBytes } = options;
  const budget = new AnswerBudget(maxBytes);
  const limits = { leftMs: deadlineMs, deadlineMs, maxBytes, budget };
  const basePath = baseUrl.pathname.replace(/\/+$/, '');
  const pool = new Pool(baseUrl.origin, {
    allowH2: false,
    connect: createConnector(connectTimeoutMs),
    // Closes each connection after its answer: an idle one could break under the next call.
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  function read(_: JsonCall, { status, headers, body }: RawAnswer): RawReply {
    const { 'content-encoding': encoding = 'identity' } = headers;
    const decoded = decodeBody(body, encoding, maxBytes);
    return { status, headers, body: decoded, bytes: body.length };
  }

  return {
    get({ path, template, token }) {
      const requestId = randomUUID();
      const call: JsonCall = { method: 'GET', path, template, token: token ?? '', requestId };
      const { authorization, ...others } = toHeaders(call);
      const headers = token === null ? others : { authorization, ...others };
      const exchange = new Exchange(call, limits, read);
      pool.dispatch({ method: 'GET', path: basePath + path, headers }, exchange);
      return exchange.result;
    },
    close: () => pool.close(),
  };
}
