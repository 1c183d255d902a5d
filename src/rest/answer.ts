import { RestError, toUnusable } from './errors.js';
import {
  noEvidence,
  readShownId,
  toEmptyEvidence,
  toOutlineEvidence,
  toPartEvidence,
} from './evidence.js';
import type { RawAnswer } from './exchange.js';
import type { ValidationDetail } from './failure.js';
import { failures, toStatusFailure } from './failures.js';
import { isJsonObject, parseBoundedJson, parseJson } from './json-body.js';
import { JsonExcessError } from './json-size.js';
import type { JsonObject, JsonCall } from './rest-call.js';
import { toRetryAfterSeconds } from './retry-after.js';

/** Why an API refused a call, as far as the body of its answer says so in a known form. */
export interface RefusalReason {
  /** Errors of single values. */
  readonly details: readonly ValidationDetail[];
  /** What the API says about no single value: plain text that shows no secret. */
  readonly upstreamMessage?: string | undefined;
}

/** Reads the body of an answer that proves `REJECTED`: any other one may be the work of a proxy, or of a defect. */
export type ReadRefusal = (call: JsonCall, body: Buffer) => RefusalReason;

const noReason: RefusalReason = { details: [] };

/**
 * Returns the JSON object of a whole 2xx answer that shows what the call asks for.
 *
 * @param body decoded body; `undefined` when its content encoding could not be removed
 * @throws RestError for every other answer
 */
export function readAnswer(
  call: JsonCall,
  answer: RawAnswer,
  body: Buffer | undefined,
  readRefusal?: ReadRefusal,
): JsonObject {
  const { status } = answer;
  if (status < 200 || status >= 300) throw toStatusError(call, answer, body, readRefusal);
  if (body?.length === 0) throw toUnusable(call, status, 'no body', toEmptyEvidence(status));
  const value = body && parseBoundedJson(body);
  if (body && value instanceof JsonExcessError)
    throw toUnusable(call, status, value.message, toOutlineEvidence(call, status, body), {
      excess: value.message,
      bound: 'answer_parts',
    });
  if (isJsonObject(value)) return assertShown(call, status, value);
  if (call.arrayAs !== undefined && Array.isArray(value)) return { [call.arrayAs]: value };
  // The message of the JSON parser is left out, because it quotes the body and would put the quote into the log.
  if (value !== undefined) throw toUnusable(call, status, 'JSON that is not an object', noEvidence);
  const evidence = body ? toPartEvidence(call, status, body, isEndedByClose(answer)) : noEvidence;
  throw toUnusable(call, status, 'a body that is not JSON', evidence);
}

/** Returns true if only the end of the connection ended the body: nobody can tell a whole body from a cut one. */
function isEndedByClose({ headers }: RawAnswer): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/**
 * Returns `answer` if it shows what the call asks for.
 *
 * @throws RestError if the answer shows another thing, or nothing that can be recognized
 */
export function assertShown(call: JsonCall, status: number, answer: JsonObject): JsonObject {
  const id = call.entity && readShownId(call.entity, answer);
  if (!call.entity || typeof id === 'string') return answer;
  const reason = id === null ? 'another id than that asked for' : 'JSON without an id';
  throw toUnusable(call, status, reason, noEvidence);
}

function toStatusError(
  call: JsonCall,
  { status, headers }: RawAnswer,
  body: Buffer | undefined,
  readRefusal: ReadRefusal | undefined,
): RestError {
  // A proxy without a route answers with a page or a line of text, and has not asked the API.
  if (status === 404 && call.method === 'GET' && !isJsonOrEmpty(body))
    return toUnusable(call, status, 'a body that is not JSON', noEvidence);
  const retryAfterSeconds = toRetryAfterSeconds(headers['retry-after']);
  const failure = toStatusFailure(status);
  const isVerdict = failures[failure].outcome === 'REJECTED';
  const reason = isVerdict && body?.length ? readRefusal?.(call, body) : undefined;
  return new RestError(failure, call, { ...noReason, ...reason, status, retryAfterSeconds });
}

function isJsonOrEmpty(body: Buffer | undefined): boolean {
  if (!body) return false;
  const value = parseJson(body);
  return body.length === 0 || isJsonObject(value) || Array.isArray(value);
}
