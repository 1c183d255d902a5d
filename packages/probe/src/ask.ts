import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

/** What every request needs. */
export interface Api {
  readonly baseUrl: URL;
  readonly token: string;
  readonly timeoutMs: number;
  /** Maximum size of an answer, before and after its content encoding is removed. */
  readonly maxAnswerBytes: number;
}

export interface Question {
  /** Id of the step that asks. */
  readonly step: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path below the base URL with the query, percent-encoded. */
  readonly path: string;
  /** The path with placeholders for ids, for the report. */
  readonly shown: string;
  readonly body?: object;
  /** Token in place of the API's; `null` to send none. */
  readonly token?: string | null;
  readonly key?: string;
  /** Whether a refusal, or a defect of the API in reading the request, is what the question provokes. */
  readonly provokes?: boolean;
}

/** A request and its answer. The body is for judgements only: no value of it may be printed. */
export interface Exchange extends Question {
  readonly number: number;
  readonly status?: number;
  readonly headers: IncomingHttpHeaders;
  /** JSON value of the body; `undefined` if there is none. */
  readonly json?: unknown;
  /** Why the answer cannot be read, in words; `undefined` if it can. */
  readonly fault?: string;
  readonly bytes: number;
  readonly ms: number;
}

/** The API must not be asked again in this run. The message says why. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Maximum number of POST and PATCH requests in one run, refused ones included. */
export const MAX_WRITES = 30;

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

  get writes(): number {
    return this.exchanges.filter(({ method }) => method !== 'GET').length;
  }

  get canWrite(): boolean {
    return this.writes < MAX_WRITES;
  }

  /** @throws Stopped when the answer says that the API must be left alone, after the exchange is kept */
  async ask(question: Question): Promise<Exchange> {
    await sleep(Math.max(0, this.#startedAt + this.intervalMs - performance.now()));
    this.#startedAt = performance.now();
    const answer = await send(this.api, question);
    const ms = Math.ceil(performance.now() - this.#startedAt);
    const exchange = { ...question, ...answer, number: this.exchanges.length + 1, ms };
    this.exchanges.push(exchange);
    const { number, method, shown, status } = exchange;
    this.note(`#${number} ${method} ${shown}  ${status ?? 'no answer'}  ${ms} ms\n`);
    const reason = findReasonToStop(exchange);
    if (reason !== undefined) throw new Stopped(`#${number} ${method} ${shown}: ${reason}`);
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
  if (status === undefined) return fault;
  if (fault?.startsWith('no whole answer')) return fault;
  if (status === 429) return 'answered 429, the API asks for fewer requests';
  if (status === 401 && token === undefined) return 'answered 401, the token is not accepted';
  if (status < 500 || (provokes === true && status <= 501)) return undefined;
  // One field of a write may break an API that is well.
  const isOfField = method !== 'GET' && !basic.has(step) && status === 500;
  return isOfField ? undefined : `answered ${status}, the API has a fault`;
}

interface Answer extends Pick<Exchange, 'status' | 'headers' | 'json' | 'fault' | 'bytes'> {}

/** Sends one request over a connection of its own, and follows no redirect. */
async function send(api: Api, question: Question): Promise<Answer> {
  const { baseUrl, timeoutMs, maxAnswerBytes } = api;
  const url = new URL(baseUrl.href.replace(/\/*$/, '') + question.path);
  const body = question.body && JSON.stringify(question.body);
  const signal = AbortSignal.timeout(timeoutMs);
  const options = {
    method: question.method,
    headers: toHeaders(api, question),
    agent: false,
    signal,
  };
  const received: { status?: number; headers: IncomingHttpHeaders } = { headers: {} };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const request = url.protocol === 'https:' ? requestHttps : requestHttp;
      const sent = request(url, options, (response) => {
        Object.assign(received, { status: response.statusCode, headers: response.headers });
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes <= maxAnswerBytes) return;
          resolve();
          sent.destroy();
        });
        response.on('end', resolve).on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  } catch (error) {
    return { ...received, bytes, fault: toFailure(error, signal, received.status, timeoutMs) };
  }
  if (bytes > maxAnswerBytes) return { ...received, bytes, fault: toTooLong(maxAnswerBytes) };
  return {
    ...received,
    bytes,
    ...(await read(url, received, Buffer.concat(chunks), maxAnswerBytes)),
  };
}

function toHeaders({ token }: Api, question: Question): Record<string, string> {
  const bearer = question.token === undefined ? token : question.token;
  return {
    accept: 'application/json',
    'user-agent': 'study-gateway-probe',
    ...(question.body && { 'content-type': 'application/json' }),
    ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
    ...(question.key !== undefined && { 'idempotency-key': question.key }),
  };
}

/** The messages of errors could quote what was sent or received, so only their codes are used. */
function toFailure(
  error: unknown,
  signal: AbortSignal,
  status: number | undefined,
  timeoutMs: number,
): string {
  if (signal.aborted) return `no whole answer within ${timeoutMs} ms`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'an answer that is not HTTP';
  const shown = /^[A-Z\d_]{1,64}$/.test(code) ? ` (${code})` : '';
  return status === undefined
    ? `no connection, or none that answers${shown}`
    : 'a body that is cut';
}

function toTooLong(maxBytes: number): string {
  return `a body of more than ${maxBytes.toLocaleString('en')} bytes`;
}

type Read = Pick<Exchange, 'json' | 'fault'>;

async function read(
  url: URL,
  { status = 0, headers }: Pick<Answer, 'status' | 'headers'>,
  body: Buffer,
  maxBytes: number,
): Promise<Read> {
  if (status >= 300 && status < 400) {
    const { location = '' } = headers;
    const target = URL.canParse(location, url) ? new URL(location, url) : url;
    return { fault: `a redirect${target.host === url.host ? '' : ' to another host'} (${status})` };
  }
  if (body.length === 0) return { fault: 'an empty body' };
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return readJson(body);
  const decode = decoders.get(encoding);
  if (!decode)
    return { fault: 'a body in a content encoding other than gzip, deflate, br and zstd' };
  try {
    return readJson(await decode(body, { maxOutputLength: maxBytes }));
  } catch (error) {
    const isLong =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { fault: isLong ? toTooLong(maxBytes) : `a body that says ${encoding} and is not` };
  }
}

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

function readJson(body: Buffer): Read {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return { fault: body.includes(0) ? 'JSON in UTF-16' : 'a body that is not UTF-8' };
  }
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
