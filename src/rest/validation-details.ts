import { z } from 'zod';

/** One complaint of the API about one value of the request. */
export interface ValidationDetail {
  /** FastAPI's `loc`: `["body", "progress", "total"]` or `["path", "study_id"]`. */
  readonly location: readonly (string | number)[];
  readonly message: string;
}

const MAX_DETAILS = 20;
const MAX_DEPTH = 8;
const MAX_NAME_LENGTH = 64;
const MAX_MESSAGE_LENGTH = 200;

/**
 * The 422 body of the FastAPI family, the only error body with a known shape (an inferred one: see docs/study-api.md). The
 * `input` in it, an echo of the request, is dropped.
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

/** Tells whether a body has the shape of the FastAPI family's 422. */
export function isValidationError(body: unknown): boolean {
  return fastApiErrorSchema.safeParse(body).success;
}

/** At most 20 details with paths of 8 steps and messages of 200 characters; none for any other shape. */
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
