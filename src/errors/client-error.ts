import type { GraphQLRequestContextDidEncounterErrors } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import {
  RestError,
  type Ledger,
  type Outcome,
  type ValidationDetail,
  type WriteOutcome,
} from 'rest-outcome';
import { cut } from '../scalars/formats.js';
import { limitErrors, omitLimited } from './error-limit.js';
import { ofCredentials, toMessage } from './failure-messages.js';
import { Refusal, ValueError, type FieldError } from './refusal.js';

/** Maximum length of a message, in characters. Messages of graphql-js quote the document. */
const MAX_MESSAGE_LENGTH = 400;

/** The part of an operation's context that knows its writes. */
interface Writing {
  readonly ledger: Ledger;
  /** Ids that an error may show; `undefined` if it may show every id. */
  readonly admittedIds?: ReadonlySet<string> | undefined;
}

/**
 * Creates the function and the listener that decide what a GraphQL client learns of an error of its operation. Unknown
 * errors are masked, so that no answer of the Study API and no detail of our code leaks.
 *
 * @param isOwnToken whether a token that the Study API refuses is the gateway's own, not the caller's
 */
export function createErrorHandling(isOwnToken: boolean) {
  /** What became of the write of the mutation field of an error. */
  const writes = new WeakMap<object, WriteOutcome>();

  function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const origin = unwrapResolverError(error);
    const write = error instanceof GraphQLError ? writes.get(error) : undefined;
    const wroteNothing = !isBelowRoot(formatted) && (write?.outcome ?? 'NOT_SENT') === 'NOT_SENT';
    const isRefusal = origin instanceof Refusal || origin instanceof GraphQLError;
    const { message, ...problem } =
      wroteNothing && isRefusal
        ? toRefusal(formatted, origin)
        : toProblem(origin, isOwnToken, write?.outcome);
    return {
      ...formatted,
      // Each error of a field has the places of all its selections: up to 900.
      ...(formatted.locations && { locations: formatted.locations.slice(0, 5) }),
      message: cut(message, MAX_MESSAGE_LENGTH),
      extensions: write ? { ...problem, ...toExtensions(write, problem) } : problem,
    };
  }

  return {
    formatError,
    /** Limits the errors, and chooses for `formatError` what became of the write of each failed mutation field. */
    async didEncounterErrors(failed: GraphQLRequestContextDidEncounterErrors<Writing>) {
      const { ledger, admittedIds } = failed.contextValue;
      ledger.end();
      limitErrors(failed.errors);
      if (failed.operation?.operation !== OperationTypeNode.MUTATION) return;
      for (const error of failed.errors)
        writes.set(error, chooseOutcome(error, ledger, admittedIds));
    },
    willSendResponse: omitLimited,
  };
}

/**
 * Chooses what became of the write of the mutation field of an error: the only place that reads the ledger for a client.
 * Without a write in the ledger, the error of a write itself decides, because `NOT_SENT` needs a proof.
 */
function chooseOutcome(
  error: GraphQLError,
  ledger: Ledger,
  admittedIds: Writing['admittedIds'],
): WriteOutcome {
  const write = ledger.outcomeOf(error.path && String(error.path[0]));
  const { outcome, id } = write;
  const origin = unwrapResolverError(error);
  if (outcome === 'NOT_SENT' && origin instanceof RestError && origin.method !== 'GET')
    return { ...write, outcome: origin.outcome };
  return id === undefined || admittedIds?.has(id) !== false ? write : { ...write, id: undefined };
}

/** `retryable` is false if any root field may have written: a repeat would write again. The noun `study` makes `studyId`. */
function toExtensions(
  { outcome, id, noun, isRepeatable }: WriteOutcome,
  problem: Omit<Problem, 'message'>,
) {
  const retryable = problem.retryable === true && isRepeatable;
  const retryAfterSeconds = retryable ? problem.retryAfterSeconds : undefined;
  const extensions = { outcome, retryable, retryAfterSeconds };
  return id === undefined ? extensions : { ...extensions, [`${noun}Id`]: id };
}

/** Returns true for an error below a root field. GraphQL refuses nothing there, because the REST call is over. */
function isBelowRoot({ path }: GraphQLFormattedError): boolean {
  return path !== undefined && path.filter((step) => typeof step === 'string').length > 1;
}

/** A message and extensions of an error. docs/errors.md says when each of the extensions is set. */
interface Problem {
  readonly message: string;
  readonly code: unknown;
  readonly retryable: unknown;
  readonly retryAfterSeconds?: number | undefined;
  readonly outcome?: Outcome | undefined;
}

/** Returns what a client learns of an error with which graphql-js, Apollo or a resolver refused before any REST call. */
function toRefusal(
  { message, path, extensions }: GraphQLFormattedError,
  origin: Refusal | GraphQLError,
): Problem {
  // Two kinds of errors may have no code, and Apollo would call them server errors: an argument that graphql-js refuses
  // when it executes the field, and a request that Apollo cannot run.
  const code = origin.extensions.code ?? (path ? 'BAD_USER_INPUT' : 'BAD_REQUEST');
  return { message, outcome: 'NOT_SENT', retryable: false, ...extensions, code };
}

/** @param written what became of the write of a mutation field; `undefined` for a query */
function toProblem(error: unknown, isOwnToken: boolean, written: Outcome | undefined): Problem {
  if (error instanceof RestError) return toRestProblem(error, isOwnToken, written);
  if (error instanceof ValueError) {
    const { message, code } = error;
    return { message, code, retryable: false };
  }
  // A defect of the gateway does not tell whether a call was made; the ledger of a mutation does.
  const [message, code] = ['Internal server error', 'INTERNAL_SERVER_ERROR'];
  return { message, code, outcome: 'UNKNOWN', retryable: false };
}

/**
 * Returns what a client learns of a failed REST call.
 *
 * @param isOwnToken whether the call had the gateway's own token, of whose refusal a caller learns nothing
 * @param written outcome of the mutation field's write, from the ledger. Default: that of the error
 */
function toRestProblem(error: RestError, isOwnToken: boolean, written?: Outcome) {
  const { code, meaning, method, upstreamMessage, details } = error;
  const isRead = method === 'GET';
  // A read has no outcome once it was sent, because a read changes nothing.
  const outcome = written ?? (isRead && error.outcome !== 'NOT_SENT' ? undefined : error.outcome);
  const isAboutGateway = isOwnToken && ofCredentials.has(error.failure);
  const fieldErrors = details.flatMap((detail) => toFieldErrors(detail, isRead));
  return {
    message: toMessage(error, outcome),
    code: isAboutGateway ? 'UPSTREAM_ERROR' : code,
    reason: meaning.reason,
    outcome,
    retryable: error.is('retryable'),
    upstreamStatus: error.status,
    retryAfterSeconds: error.retryAfterSeconds,
    fieldErrors: fieldErrors.length > 0 && !isAboutGateway ? fieldErrors : undefined,
    upstreamMessage: isAboutGateway ? undefined : upstreamMessage,
  };
}

/**
 * Converts a validation error of the Study API to errors about GraphQL arguments: the REST body is the argument `input`,
 * the path parameter is `id`, and the query parameters of a read have the names of arguments. Drops errors about headers
 * and about the query of a write, because clients cannot set these.
 */
function toFieldErrors({ location, message }: ValidationDetail, isRead: boolean): FieldError[] {
  const [origin, ...rest] = location;
  if (origin === 'body') return [{ path: ['input', ...rest], message }];
  if (origin === 'query' && isRead) return [{ path: rest, message }];
  return origin === 'path' ? [{ path: ['id'], message }] : [];
}
