import { z } from 'zod';

/** One validation error that the API reports for one value of the request. */
export interface ValidationDetail {
  /** Path to the value, FastAPI's `loc`: `["body", "progress", "total"]` or `["path", "study_id"]`. */
  readonly location: readonly (string | number)[];
  readonly message: string;
}

const MAX_DETAILS = 20;
const MAX_DEPTH = 8;
const MAX_NAME_LENGTH = 64;
const MAX_MESSAGE_LENGTH = 200;

/**
 * Body of a validation error of FastAPI (422), the only error body with a known shape (inferred: see
 * docs/study-api.md). Drops FastAPI's `input`, which echoes the request.
 */
const fastApiErrorSchema = z.object({
  detail: z.array(
    z.object({
      loc: z.array(z.union([z.string(), z.number().int()])),
      msg: z.string(),
    }),
  ),
});

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/** Whether a body has the format of a 422 of the FastAPI family. */
export function isValidationError(body: unknown): boolean {
  return fastApiErrorSchema.safeParse(body).success;
}

/** Returns at most 20 details, with paths cut to 8 steps and messages to 200 characters; none for an unknown body. */
export function toValidationDetails(body: unknown): ValidationDetail[] {
  const parsed = fastApiErrorSchema.safeParse(body);
  if (!parsed.success) return [];
  return parsed.data.detail.slice(0, MAX_DETAILS).map(({ loc, msg }) => ({
    location: loc
      .slice(0, MAX_DEPTH)
      .map((step) => (typeof step === 'string' ? cut(step, MAX_NAME_LENGTH) : step)),
    message: cut(msg, MAX_MESSAGE_LENGTH),
  }));
}
