import { Pool } from 'undici';
import { version } from '../version.js';
import { RestAnswerError, RestStatusError } from './errors.js';
import { Exchange, type RawAnswer } from './exchange.js';
import { isJsonObject, readJson } from './json-body.js';
import type { JsonObject, RestCall } from './rest-call.js';
import { toRetryAfterSeconds } from './retry-after.js';
import { toValidationDetails } from './validation-details.js';

export interface RestClientOptions {
  /** May carry a path, with or without a slash at its end: `https://api.example.com/api/v1`. */
  readonly baseUrl: URL;
  /** One deadline for everything: connection, request, headers and body. */
  readonly timeoutMs: number;
}

/** Longer answers, before or after decoding, are refused: 8 MiB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** The part of the deadline that may go into making a connection. */
const CONNECT_TIMEOUT_MS = 2_000;
const CONNECTIONS = 64;

export interface RestClient {
  /**
   * Sends one call, once, and returns the JSON object of a 2xx. Redirects are not followed.
   *
   * @throws RestError, which says what became of the call
   */
  send(call: RestCall): Promise<JsonObject>;
  /** Lets the calls under way finish, and closes every connection. */
  close(): Promise<void>;
}

export function createRestClient({ baseUrl, timeoutMs }: RestClientOptions): RestClient {
  const basePath = baseUrl.pathname.replace(/\/+$/, '');
  const pool = new Pool(baseUrl.origin, {
    connections: CONNECTIONS,
    // A second request on a connection whose first is not answered could not be told apart when it breaks.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    // The exchange's deadline covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async send(call) {
      const exchange = new Exchange(call, { deadlineMs: timeoutMs, maxBytes: MAX_ANSWER_BYTES });
      pool.dispatch(
        {
          method: call.method,
          path: basePath + call.path,
          headers: toHeaders(call),
          body: call.body ?? null,
        },
        exchange,
      );
      return toJsonObject(call, await exchange.answer);
    },
    close: () => pool.close(),
  };
}

function toHeaders(call: RestCall): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${call.token}`,
    accept: 'application/json',
    'user-agent': `study-gateway/${version}`,
    'x-request-id': call.requestId,
  };
  if (call.body !== undefined) headers['content-type'] = 'application/json';
  return headers;
}

async function toJsonObject(call: RestCall, answer: RawAnswer): Promise<JsonObject> {
  const { status, headers, body } = answer;
  const encoding = headers['content-encoding'];
  if (status < 200 || status >= 300) {
    const isClientError = status >= 400 && status < 500;
    const problem = isClientError
      ? await readJson(body, encoding, MAX_ANSWER_BYTES).catch(() => undefined)
      : undefined;
    throw new RestStatusError(
      call,
      status,
      toRetryAfterSeconds(headers['retry-after']),
      toValidationDetails(problem),
    );
  }
  const outcome = isPage(headers['content-type']) ? 'UNKNOWN' : 'APPLIED';
  let value: unknown;
  try {
    value = await readJson(body, encoding, MAX_ANSWER_BYTES);
  } catch {
    // Without the cause: its message quotes the body, and errors are logged.
    throw new RestAnswerError(call, status, 'a body that is not JSON', outcome);
  }
  if (!isJsonObject(value))
    throw new RestAnswerError(call, status, 'JSON that is not an object', outcome);
  return value;
}

/** HTML and plain text: what a proxy, a login page or a captive portal answers in an API's place. */
function isPage(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*text\/(html|plain)\b/i.test(contentType);
}
