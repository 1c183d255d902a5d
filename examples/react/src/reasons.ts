import { formErrors, type StudyProblem } from 'study-gateway-client';
import { emptyValues } from './form-values.ts';

/** Reasons of failures for users, by code. A code without a reason here is explained by the problem's own message. */
const reasons: { readonly [Code in StudyProblem['code']]?: string } = {
  BAD_USER_INPUT: 'A value was not accepted.',
  UNAUTHENTICATED: 'You are not signed in, or your token has expired.',
  FORBIDDEN: 'You are not allowed to do this.',
  NOT_FOUND: 'There is no such study.',
  CONFLICT: 'Somebody else has changed the study in the meantime.',
  RATE_LIMITED: 'There were too many requests in a short time.',
  OVERLOADED: 'Too much is going on at the moment.',
  UPSTREAM_UNAVAILABLE: 'The connection to the Study API failed.',
  UPSTREAM_TIMEOUT: 'The Study API took too long to answer.',
  UPSTREAM_ERROR: 'The Study API reported an error of its own.',
  UPSTREAM_CONTRACT: 'The answer of the Study API could not be read whole.',
  NETWORK_ERROR: 'The connection was lost before an answer came.',
};

export function toReason({ code, message }: StudyProblem): string {
  return reasons[code] ?? message;
}

/** Returns what the Study API says of no single value, and the messages about values for which the form has no field. */
export function toUnplacedErrors(problem: StudyProblem): readonly string[] {
  if (problem.fieldErrors.length === 0 && problem.upstreamMessage === undefined) return [];
  const { fields, form } = formErrors(problem);
  const elsewhere = Object.entries(fields).filter(([name]) => !(name in emptyValues));
  return [...form, ...elsewhere.flatMap(([, messages]) => messages)];
}
