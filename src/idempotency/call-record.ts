import { z } from 'zod';
import {
  RestAnswerError,
  RestConnectionLostError,
  RestCutAnswerError,
  RestError,
  RestNoRoomError,
  RestStatusError,
  RestTimeoutError,
} from '../rest/errors.js';
import { RestAnswerNotKeptError, RestKeyUnsettledError } from '../rest/idempotency-errors.js';
import { isJsonObject } from '../rest/json-body.js';
import type { JsonObject, RestCall } from '../rest/rest-call.js';

/** The end of a call, as text; `short` is kept where there is no room for `whole`. */
export interface CallRecord {
  readonly whole: string;
  readonly short: string;
}

/** Longest record that is kept whole, in characters. */
const MAX_LENGTH = 1_048_576;

const status = z.int();
const location = z.array(z.union([z.string(), z.int()])).readonly();
const details = z.array(z.object({ location, message: z.string() })).readonly();
const success = z.enum(['APPLIED', 'UNKNOWN']);

/** The endings that are kept, with the facts needed to tell them again. */
const endingSchema = z.discriminatedUnion('ending', [
  z.object({ ending: z.literal('answer'), answer: z.custom<JsonObject>(isJsonObject) }),
  z.object({ ending: z.literal('answer not kept') }),
  z.object({
    ending: z.literal('status'),
    status,
    retryAfterSeconds: z.number().optional(),
    details,
  }),
  z.object({ ending: z.literal('unreadable'), status, outcome: success }),
  z.object({ ending: z.literal('cut'), status, outcome: success }),
  z.object({ ending: z.literal('no room'), status, outcome: success }),
  z.object({
    ending: z.literal('timeout'),
    status: status.optional(),
    deadlineMs: z.number(),
    outcome: success,
  }),
  z.object({ ending: z.literal('connection lost') }),
  z.object({ ending: z.literal('unknown') }),
]);

type Ending = z.infer<typeof endingSchema>;

/** The short record of every answer. */
export const answerNotKeptRecord = toText({ ending: 'answer not kept' });

export function toAnswerRecord(answer: JsonObject): CallRecord {
  const short = answerNotKeptRecord;
  try {
    const whole = toText({ ending: 'answer', answer });
    return { whole: whole.length <= MAX_LENGTH ? whole : short, short };
  } catch {
    // JSON.stringify overflows the stack on nesting that JSON.parse can read.
    return { whole: short, short };
  }
}

/** `undefined` when the key is free again: the call did nothing, and a repeat may succeed. */
export function toErrorRecord(error: unknown): CallRecord | undefined {
  const ending = toEnding(error);
  if (!ending) return undefined;
  const short = ending.ending === 'status' ? { ...ending, details: [] } : ending;
  return { whole: toText(ending), short: toText(short) };
}

/**
 * Endings by the `name` of the error, which `readRecord` makes again; any other error is `unknown`. Other versions read
 * the records too: endings keep their words.
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
  // A defect of the gateway, which may have struck after the call.
  if (!(error instanceof RestError)) return { ending: 'unknown' };
  if (!error.meaning.keepsKey) return undefined;
  const { status, outcome, deadlineMs, retryAfterSeconds, details } = error;
  const facts = { status, outcome, deadlineMs, retryAfterSeconds, details };
  // Keeps the facts that belong to the ending, and no others.
  const parsed = endingSchema.safeParse({ ...facts, ending: endings[error.name] });
  return parsed.data ?? { ending: 'unknown' };
}

function toText(ending: Ending): string {
  return JSON.stringify(ending);
}

/**
 * Returns the answer of the call that left `text`.
 *
 * @throws RestError of the same class and with the same facts, when the call ended in an error
 */
export function readRecord(call: RestCall, text: string): JsonObject {
  // A record of another version, which this version cannot read, may stand for any end.
  const ending = parse(text) ?? { ending: 'unknown' };
  switch (ending.ending) {
    case 'answer':
      return ending.answer;
    case 'answer not kept':
      throw new RestAnswerNotKeptError(call);
    case 'status':
      throw new RestStatusError(call, ending.status, ending.retryAfterSeconds, ending.details);
    case 'unreadable':
      throw new RestAnswerError(call, ending.status, 'what cannot be read', ending.outcome);
    case 'cut':
      throw new RestCutAnswerError(call, ending.status, ending.outcome, undefined);
    case 'no room':
      throw new RestNoRoomError(call, ending.status, ending.outcome);
    case 'timeout':
      throw new RestTimeoutError(call, ending.deadlineMs, ending.outcome, ending.status);
    case 'connection lost':
      throw new RestConnectionLostError(call, undefined);
    default:
      throw new RestKeyUnsettledError(call);
  }
}

function parse(text: string): Ending | undefined {
  try {
    return endingSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
