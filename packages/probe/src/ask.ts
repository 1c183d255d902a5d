import { isUtf8 } from 'node:buffer';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { JsonObject } from 'study-gateway-contract';

/** Options of every request. */
export interface Api {
  readonly baseUrl: URL;
  readonly token: string;
  readonly timeoutMs: number;
  /** Maximum size of an answer, before and after its content encoding is removed. */
  readonly maxAnswerBytes: number;
}

export interface Asked {
  /** Id of the step that asks. */
  readonly step: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path below the base URL with the query, percent-encoded. */
  readonly path: string;
  /** The path with placeholders for ids, for the report. */
  readonly shown: string;
  readonly body?: object;
  /** Fields of the body by GraphQL names. */
  readonly sent?: JsonObject;
  /** Token in place of the API's; `null` to send none. */
  readonly token?: string | null;
  readonly key?: string;
  /** True if the question provokes a refusal, or an error of the API in reading the request. */
  readonly provokes?: boolean;
}

/** Answer to a request. The body is for judgements only: no value of it may be printed. */
interface Answer {
  readonly status?: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** JSON value of the body; `undefined` if there is none. */
  readonly json?: unknown;
  /** Why the answer cannot be read, in words; `undefined` if it can. */
  readonly fault?: string | undefined;
  readonly bytes: number;
}

export interface Exchange extends Asked, Answer {
  readonly number: number;
  readonly ms: number;
  /** Id of the study that a create has made. */
  made?: string;
}

/** The API must not be asked again in this run. The message says why. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Maximum number of POST and PATCH requests in one run, refused ones included. */
const MAX_WRITES = 30;

/** Sends one request at a time, and keeps what was asked and answered. */
export class Asker {
  readonly exchanges: Exchange[] = [];
  #startedAt = -Infinity;

  /**
   * @param intervalMs minimum time between the starts of two requests
   * @param note called after each request, with a line for the terminal
   */
  constructor(
    readonly api: Api,
    readonly intervalMs: number,
    readonly note: (line: string) => void,
  ) {}

  /** Number of POST and PATCH requests that may still be sent. */
  get writesLeft(): number {
    return MAX_WRITES - this.exchanges.filter(({ method }) => method !== 'GET').length;
  }

  /** @throws Stopped when the answer says that the API must be left alone, after the exchange is kept */
  async ask(asked: Asked): Promise<Exchange> {
    await sleep(Math.max(0, this.#startedAt + this.intervalMs - performance.now()));
    this.#startedAt = performance.now();
    const answer = await send(this.api, asked);
    const ms = Math.ceil(performance.now() - this.#startedAt);
    const exchange = { ...asked, ...answer, number: this.exchanges.length + 1, ms };
    this.exchanges.push(exchange);
    const line = `#${exchange.number} ${asked.method} ${asked.shown}`;
    this.note(`${line}  ${exchange.status ?? 'no answer'}  ${ms} ms\n`);
    const reason = findReasonToStop(exchange);
    if (reason !== undefined) throw new Stopped(`${line}: ${reason}`);
    return exchange;
  }
}

export function isSuccess({ status = 0, fault }: Exchange): boolean {
  return status >= 200 && status < 300 && fault === undefined;
}

/** Steps that must work before a defect can be one of a single field. */
const basic = new Set(['create.smallest', 'edit.flag']);

function findReasonToStop(exchange: Exchange): string | undefined {
  const { status, fault, provokes, method, step, token } = exchange;
  if (status === undefined || fault?.startsWith('no whole answer')) return fault;
  if (status === 429) return 'answered 429, the API asks for fewer requests';
  if (status === 401 && token === undefined) return 'answered 401, the token is not accepted';
  if (status < 500 || (provokes === true && status <= 501)) return undefined;
  // One field of a write may break an API that is well.
  const isOfField = method !== 'GET' && !basic.has(step) && status === 500;
  return isOfField ? undefined : `answered ${status}, the API has a fault`;
}

type Received = { -readonly [Name in keyof Answer]: Answer[Name] };

/** Sends one request over a connection of its own, and follows no redirect. */
async function send({ token, baseUrl, ...limits }: Api, asked: Asked): Promise<Answer> {
  const { timeoutMs, maxAnswerBytes } = limits;
  const url = new URL(baseUrl.href.replace(/\/*$/, '') + asked.path);
  const bearer = asked.token === undefined ? token : asked.token;
  const headers = {
    accept: 'application/json',
    'user-agent': 'study-gateway-probe',
    ...(asked.body && { 'content-type': 'application/json' }),
    ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
    ...(asked.key !== undefined && { 'idempotency-key': asked.key }),
  };
  const signal = AbortSignal.timeout(timeoutMs);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const chunks: Buffer[] = [];
  const answer: Received = { headers: {}, bytes: 0 };
  try {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request(url, { method: asked.method, headers, agent: false, signal }, resolve)
      .on('error', reject)
      .end(asked.body && JSON.stringify(asked.body));
    const response: AsyncIterable<Buffer> & IncomingMessage = await promise;
    Object.assign(answer, { status: response.statusCode, headers: response.headers });
    for await (const chunk of response) {
      chunks.push(chunk);
      answer.bytes += chunk.length;
      if (answer.bytes > maxAnswerBytes) return { ...answer, fault: toTooLong(maxAnswerBytes) };
    }
    return { ...answer, ...(await read(url, answer, Buffer.concat(chunks), maxAnswerBytes)) };
  } catch (error) {
    const isLate = signal.aborted;
    const fault = isLate ? `no whole answer within ${timeoutMs} ms` : toFault(error, answer.status);
    return { ...answer, fault };
  }
}

/** The messages of errors could quote what was sent or received, so only their codes are used. */
function toFault(error: unknown, status: number | undefined): string {
  const code = toCode(error);
  if (code.startsWith('HPE_')) return 'an answer that is not HTTP';
  if (status !== undefined) return 'a body that is cut';
  return `no connection, or none that answers${/^[A-Z\d_]{1,64}$/.test(code) ? ` (${code})` : ''}`;
}

function toCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function toTooLong(maxBytes: number): string {
  return `a body of more than ${maxBytes.toLocaleString('en')} bytes`;
}

type Body = Pick<Answer, 'json' | 'fault'>;

async function read(
  url: URL,
  { status = 0, headers }: Omit<Answer, 'json'>,
  body: Buffer,
  maxOutputLength: number,
): Promise<Body> {
  if (status >= 300 && status < 400) {
    const target = URL.parse(headers.location ?? '', url) ?? url;
    return { fault: `a redirect${target.host === url.host ? '' : ' to another host'} (${status})` };
  }
  if (body.length === 0) return { fault: 'an empty body' };
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const decode = decoders.get(encoding);
  if (!decode)
    return { fault: 'a body in a content encoding other than gzip, deflate, br and zstd' };
  try {
    return readJson(await decode(body, { maxOutputLength }));
  } catch (error) {
    const isLong = toCode(error) === 'ERR_BUFFER_TOO_LARGE';
    return {
      fault: isLong ? toTooLong(maxOutputLength) : `a body that says ${encoding} and is not`,
    };
  }
}

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['identity', (body) => Promise.resolve(body)],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

function readJson(body: Buffer): Body {
  if (!isUtf8(body))
    return { fault: body.includes(0) ? 'JSON in UTF-16' : 'a body that is not UTF-8' };
  const text = new TextDecoder().decode(body);
  const json = tryToParse(text);
  if (json !== undefined) return { json };
  if (text.includes('\0')) return { fault: 'JSON in UTF-16' };
  if (/^\s*</.test(text)) return { fault: 'a page of HTML' };
  if (tryToParse(text.replaceAll(/(?<=[:[,]\s*)-?(?:NaN|Infinity)/g, '0')) !== undefined)
    return { fault: 'JSON with NaN or Infinity' };
  return {
    fault: /^\s*[[{]/.test(text) ? 'JSON that is cut or broken' : 'a body that is not JSON',
  };
}

function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
