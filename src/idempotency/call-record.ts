import { z } from 'zod';
import { assertShown } from '../rest/answer.js';
import {
  RestAnswerError,
  RestConnectionLostError,
  RestCutAnswerError,
  RestError,
  RestNoRoomError,
  RestStatusError,
  RestTimeoutError,
} from '../rest/errors.js';
import { noEvidence, type Evidence } from '../rest/evidence.js';
import { parseExactJson } from '../rest/exact-json.js';
import { RestAnswerNotKeptError, RestKeyUnsettledError } from '../rest/idempotency-errors.js';
import { isJsonObject } from '../rest/json-body.js';
import type { JsonObject, JsonCall } from '../rest/rest-call.js';

/** Result of a call, serialized for a store, which keeps `short` when it has no room for `whole`. */
export interface CallRecord {
  readonly whole: string;
  readonly short: string;
}

/** Maximum length of a record in characters; longer answers are not stored. */
const MAX_LENGTH = 1_048_576;

const status = z.int();
const location = z.array(z.union([z.string(), z.int()])).readonly();
const details = z.array(z.object({ location, message: z.string() })).readonly();
const success = z.enum(['APPLIED', 'UNKNOWN']);
/** Id that the answer shows. Version 0.2.0 neither writes nor reads this member. */
const id = z.string().optional();

/** Schema of stored results, with all facts needed to give a duplicate request the same result. */
const endingSchema = z.discriminatedUnion('ending', [
  z.object({ ending: z.literal('answer'), answer: z.custom<JsonObject>(isJsonObject) }),
  z.object({ ending: z.literal('answer not kept') }),
  z.object({
    ending: z.literal('status'),
    status,
    retryAfterSeconds: z.number().optional(),
    details,
    // Optional, because version 0.2.0 writes none. That version reads a record that has one.
    upstreamMessage: z.string().optional(),
  }),
  z.object({
    ending: z.literal('unreadable'),
    status,
    outcome: success,
    id,
    // Optional, because earlier versions write none.
    excess: z.string().optional(),
  }),
  z.object({ ending: z.literal('cut'), status, outcome: success, id }),
  z.object({ ending: z.literal('no room'), status, outcome: success, id }),
  z.object({
    ending: z.literal('timeout'),
    status: status.optional(),
    deadlineMs: z.number(),
    outcome: success,
    id,
  }),
  z.object({ ending: z.literal('connection lost') }),
  z.object({ ending: z.literal('unknown') }),
]);

type Ending = z.infer<typeof endingSchema>;

/** Record of a success without the answer. */
export const answerNotKeptRecord = toText({ ending: 'answer not kept' });

export function toAnswerRecord(answer: JsonObject): CallRecord {
  const short = answerNotKeptRecord;
  try {
    const whole = toText({ ending: 'answer', answer });
    return { whole: whole.length <= MAX_LENGTH ? whole : short, short };
  } catch {
    // JSON.stringify overflows the stack at a nesting depth that JSON.parse can still handle.
    return { whole: short, short };
  }
}

/** Returns `undefined` when the key must be freed: the failed call changed nothing, and a later call may succeed. */
export function toErrorRecord(error: unknown): CallRecord | undefined {
  const ending = toEnding(error);
  if (!ending) return undefined;
  const short =
    ending.ending === 'status' ? { ...ending, details: [], upstreamMessage: undefined } : ending;
  return { whole: toText(ending), short: toText(short) };
}

/**
 * Maps the `name` of an error to the ending from which `readRecord` recreates the error. Errors without an entry become
 * `unknown`. Never rename an ending: gateways of other versions read the records.
 */
const endings: Readonly<Record<string, Ending['ending']>> = {
  RestStatusError: 'status',
  RestAnswerError: 'unreadable',
  RestCutAnswerError: 'cut',
  RestNoRoomError: 'no room',
  RestTimeoutError: 'timeout',
  RestConnectionLostError: 'connection lost',
};

function toEnding(error: unknown): Ending | undefined {
  // Any other error is a bug of the gateway, and may have occurred after the call was sent.
  if (!(error instanceof RestError)) return { ending: 'unknown' };
  if (!error.meaning.keepsKey) return undefined;
  const { status, outcome, shownId: id, deadlineMs, retryAfterSeconds, details } = error;
  const { upstreamMessage, excess } = error;
  const answer = { status, outcome, id, excess };
  const facts = { ...answer, deadlineMs, retryAfterSeconds, details, upstreamMessage };
  // The schema drops the facts that do not belong to the ending.
  const parsed = endingSchema.safeParse({ ...facts, ending: endings[error.name] });
  return parsed.data ?? { ending: 'unknown' };
}

function toText(ending: Ending): string {
  return JSON.stringify(ending);
}

/**
 * Returns the answer in the record of an earlier call.
 *
 * @param call duplicate of the earlier call
 * @param text the record
 * @throws RestError equal to the error of the earlier call, if that call failed; RestAnswerNotKeptError or
 *   RestKeyUnsettledError if the record lacks the result
 */
export function readRecord(call: JsonCall, text: string): JsonObject {
  // Another version of the gateway may have written a record that this version cannot read.
  const ending = parse(text) ?? { ending: 'unknown' };
  switch (ending.ending) {
    case 'answer':
      // Version 0.2.0 also kept answers that show no study.
      return assertShown(call, 200, ending.answer);
    case 'answer not kept':
      throw new RestAnswerNotKeptError(call);
    case 'status':
      throw new RestStatusError(
        call,
        ending.status,
        ending.retryAfterSeconds,
        ending.details,
        ending.upstreamMessage,
      );
    case 'unreadable':
      throw new RestAnswerError(
        call,
        ending.status,
        'an unusable body',
        toEvidence(ending),
        ending.excess,
      );
    case 'cut':
      throw new RestCutAnswerError(call, ending.status, toEvidence(ending), undefined);
    case 'no room':
      throw new RestNoRoomError(call, ending.status, toEvidence(ending));
    case 'timeout':
      throw new RestTimeoutError(call, ending.deadlineMs, toEvidence(ending), ending.status);
    case 'connection lost':
      throw new RestConnectionLostError(call, undefined);
    default:
      throw new RestKeyUnsettledError(call);
  }
}

/** Version 0.2.0 kept `APPLIED` without evidence: for every 2xx that was not HTML or plain text. */
function toEvidence({
  outcome,
  id,
  status,
}: Evidence & { readonly status?: number | undefined }): Evidence {
  if (id !== undefined) return { outcome, id };
  return status === 201 || status === 204 ? { outcome } : noEvidence;
}

function parse(text: string): Ending | undefined {
  try {
    return endingSchema.safeParse(parseExactJson(text)).data;
  } catch {
    return undefined;
  }
}
