import type { GraphQLRequestContext, GraphQLRequestListener } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import {
  RestError,
  toText,
  type Ledger,
  type Outcome,
  type ValidationDetail,
  type WriteOutcome,
} from 'rest-outcome';
import { TooManyErrorsError, type PlannedErrors } from 'planned-execution';
import { DriftError } from '../study/drift-error.js';
import { formatGraphQLError } from './graphql-error.js';
import { ForbiddenError, Refusal, type FieldError } from './refusal.js';
import { ofCredentials, failureMessages } from './failure-messages.js';

interface FormatOptions {
  /** With `service`, a token that the Study API refuses is the gateway's own, not the caller's. */
  readonly authMode: 'forward' | 'service';
  /** Token that the emulator accepts. With `forward`, messages of `UNAUTHENTICATED` errors name this token. */
  readonly demoToken?: string | undefined;
}

/** The part of an operation's context that knows its writes. */
interface Writing {
  readonly ledger: Ledger;
  /** Ids that an error may show; `undefined` if it may show every id. */
  readonly admittedIds: ReadonlySet<string> | undefined;
}

/** The part of Apollo's request context that identifies the writes of a failed operation. */
type Failed = Pick<GraphQLRequestContext<Writing>, 'operation' | 'contextValue'>;

export interface ErrorFormat extends PlannedErrors<Writing> {
  readonly formatError: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;
  /** Reads for `formatError` what became of the write of each failed mutation field. */
  readonly listener: Pick<GraphQLRequestListener<Writing>, 'didEncounterErrors'>;
}

/**
 * Creates the functions that decide what a GraphQL client learns of an error. No other code decides this. Unknown errors
 * are masked, so that no answer of the Study API and no detail of our code leaks. The `outcome` of a failed mutation
 * field comes from the operation's ledger, not from the kind of error.
 */
export function createErrorFormat({ authMode, demoToken }: FormatOptions): ErrorFormat {
  const isOwnToken = authMode === 'service';
  /** What became of the write of the mutation field of an error. */
  const truths = new WeakMap<object, WriteOutcome>();

  function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const told = toTold(formatted, error);
    const isHinted = demoToken !== undefined && !isOwnToken;
    if (!isHinted || told.extensions?.['code'] !== 'UNAUTHENTICATED') return told;
    return { ...told, message: `${told.message} The emulator's token is ${demoToken}.` };
  }

  function toTold(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const origin = unwrapResolverError(error);
    const listed = error instanceof GraphQLError ? truths.get(error) : undefined;
    const truth = listed && toProvedTruth(listed, origin);
    if ((!truth || truth.outcome === 'NOT_SENT') && !isBelowRoot(formatted)) {
      if (origin instanceof Refusal) return withTruth(formatted, truth);
      if (origin instanceof GraphQLError)
        return withTruth(formatGraphQLError(formatted, origin), truth);
    }
    const { message, ...extensions } = toProblem(origin, truth);
    // The Study API refused the gateway's own token, so the caller must not be told that its token is wrong.
    const isAboutUs =
      isOwnToken && origin instanceof RestError && ofCredentials.has(origin.failure);
    const others = { code: 'UPSTREAM_ERROR', fieldErrors: undefined, upstreamMessage: undefined };
    const told = isAboutUs ? { ...extensions, ...others } : extensions;
    return withTruth({ ...formatted, message, extensions: told }, truth);
  }

  function noteErrors(errors: readonly GraphQLError[], failed: Failed): void {
    const { operation, contextValue } = failed;
    const isMutation = operation?.operation === OperationTypeNode.MUTATION;
    const { ledger, admittedIds } = contextValue;
    ledger.end();
    for (const error of errors) {
      const name = error.path && String(error.path[0]);
      const truth = isMutation ? withAdmittedId(ledger.outcomeOf(name), admittedIds) : undefined;
      if (truth) truths.set(error, truth);
    }
  }

  return {
    formatError,
    listener: { didEncounterErrors: async (failed) => noteErrors(failed.errors, failed) },
    isExpected,
    formatErrors(errors, failed) {
      Object.assign(failed, { errors: [...(failed.errors ?? []), ...errors] });
      noteErrors(errors, failed);
      return errors.map((error) => formatError(error.toJSON(), error));
    },
  };
}

function withAdmittedId(truth: WriteOutcome, admittedIds: Writing['admittedIds']): WriteOutcome {
  const { id } = truth;
  return id === undefined || admittedIds?.has(id) !== false ? truth : { ...truth, id: undefined };
}

/**
 * Returns the outcome of the error itself where the ledger has no write of the root field, but its write failed: without
 * a proof, nobody may be told `NOT_SENT`.
 */
function toProvedTruth(truth: WriteOutcome, origin: unknown): WriteOutcome {
  const isMissing = truth.outcome === 'NOT_SENT' && origin instanceof RestError;
  if (!isMissing || origin.method === 'GET') return truth;
  const { outcome } = origin;
  return {
    outcome,
    isRepeatable: truth.isRepeatable && ['NOT_SENT', 'REJECTED'].includes(outcome),
  };
}

/**
 * Sets what became of the write of a mutation field. `retryable` is false if any root field may have written, because a
 * repeat of the operation would write again.
 */
function withTruth(
  formatted: GraphQLFormattedError,
  truth: WriteOutcome | undefined,
): GraphQLFormattedError {
  if (!truth) return formatted;
  const { outcome, id, noun, isRepeatable } = truth;
  const { retryable, ...others } = formatted.extensions ?? {};
  const told = { ...others, outcome, retryable: retryable === true && isRepeatable };
  return { ...formatted, extensions: id === undefined ? told : { ...told, [`${noun}Id`]: id } };
}

/** Returns true for a resolver's error that is no defect of the gateway, and does not change the HTTP response. */
function isExpected(error: unknown): boolean {
  if (error instanceof GraphQLError)
    return error.extensions['outcome'] === 'NOT_SENT' && error.extensions['http'] === undefined;
  return [RestError, Refusal, ForbiddenError].some((expected) => error instanceof expected);
}

/** Returns true for an error below a root field. GraphQL refuses nothing there, because the REST call is over. */
function isBelowRoot({ path }: GraphQLFormattedError): boolean {
  return path !== undefined && path.filter((step) => typeof step === 'string').length > 1;
}

/**
 * Returns the message and the extensions of an error. docs/errors.md says when each of the extensions is set.
 *
 * @param truth what became of the write of a mutation field; `undefined` for a query
 */
function toProblem(error: unknown, truth: WriteOutcome | undefined) {
  if (error instanceof RestError) return toRestProblem(error, truth?.outcome);
  if (error instanceof ForbiddenError) {
    const message = error.message + (truth ? consequences[truth.outcome] : '');
    return { message, code: 'FORBIDDEN', retryable: false };
  }
  if (error instanceof DriftError || error instanceof TooManyErrorsError)
    return { message: error.message, code: 'UPSTREAM_CONTRACT', retryable: false };
  // A defect of the gateway does not tell whether a call was made; the ledger of a mutation does.
  return {
    message: 'Internal server error',
    code: 'INTERNAL_SERVER_ERROR',
    outcome: 'UNKNOWN',
    retryable: false,
  };
}

/**
 * Converts a failed REST call to the error that the client gets.
 *
 * @param written outcome of the mutation field's write, from the ledger. Default: that of the error
 */
export function toRestProblem(error: RestError, written?: Outcome) {
  const { code, meaning } = error;
  const isRead = error.method === 'GET';
  // A read has no outcome once it was sent, because a read changes nothing.
  const seen = isRead && error.outcome !== 'NOT_SENT' ? undefined : error.outcome;
  const outcome = written ?? seen;
  const fieldErrors = error.details?.flatMap((detail) => toFieldErrors(detail, isRead)) ?? [];
  return {
    message: toMessage(error) + (outcome ? consequences[outcome] : ''),
    code,
    reason: meaning.reason,
    outcome,
    retryable: error.is('retryable'),
    upstreamStatus: error.status,
    retryAfterSeconds: error.retryAfterSeconds,
    fieldErrors: fieldErrors.length > 0 ? fieldErrors : undefined,
    upstreamMessage: error.upstreamMessage,
  };
}

/** Sentences that follow a message. A refusal says only that it came: whether anything was changed was not seen. */
const consequences: Record<Outcome, string> = {
  NOT_SENT: ' Nothing was sent.',
  REJECTED: '',
  APPLIED: ' The change was made.',
  UNKNOWN: ' Whether the change was made is not known: check before repeating it.',
};

function toMessage(error: RestError): string {
  const told = toText(failureMessages[error.failure][1], error);
  const { excess } = error;
  return excess === undefined ? told : `${told} It has ${excess}, which is the limit.`;
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
