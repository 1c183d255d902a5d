import type { IncomingHttpHeaders } from 'node:http';
import { AnswerBudget } from './answer-budget.js';
import { Exchange, type RawAnswer } from './exchange.js';
import { decodeBody } from './json-body.js';
import type { JsonCall } from './rest-call.js';
import { createPool, toBasePath } from './pool.js';
import type { RestClientOptions } from './rest-client.js';

type RawClientOptions = Pick<
  RestClientOptions,
  'baseUrl' | 'deadlineMs' | 'connectTimeoutMs' | 'maxAnswerBytes'
>;

type RawCall = Pick<JsonCall, 'path' | 'template' | 'headers'>;

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
  const { deadlineMs, maxAnswerBytes: maxBytes } = options;
  const limits = { leftMs: deadlineMs, deadlineMs, maxBytes, budget: new AnswerBudget(maxBytes) };
  const basePath = toBasePath(options);
  // Without a number, because an idle connection could break under the next call.
  const pool = createPool(options);

  function read(_: JsonCall, { status, headers, body }: RawAnswer): RawReply {
    const { 'content-encoding': encoding = 'identity' } = headers;
    const decoded = decodeBody(body, encoding, maxBytes);
    return { status, headers, body: decoded, bytes: body.length };
  }

  return {
    get(call) {
      const exchange = new Exchange({ ...call, method: 'GET' }, limits, read);
      const { path, headers } = call;
      pool.dispatch({ method: 'GET', path: basePath + path, headers }, exchange);
      return exchange.result;
    },
    close: () => pool.close(),
  };
}
