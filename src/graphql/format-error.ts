import type { GraphQLRequestContext } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import type { PlannedErrors } from '../execution/planned-execution.js';
import { RestError } from '../rest/errors.js';
import { ArgumentError, StudyContractError } from '../study/study.errors.js';
import type { Write, Writes } from '../study/writes.js';
import type { StudyContext } from '../study/study.resolver.js';
import { toQuotesHint } from './quotes-hint.js';
import { toRestProblem, type Problem } from './rest-problem.js';
import type { OperationListener } from './operation-listener.js';
import { toVariableError } from './variable-error.js';
import { outcomesByHarm } from './worst-error.js';

/** Matches the suggestion that graphql-js appends to a message: similar names from the schema. */
const SUGGESTION = / ?Did you mean .*\?$/s;
/** Maximum length of a message, in characters. Messages of graphql-js quote the request; Apollo's own messages are shorter. */
const MAX_MESSAGE_LENGTH = 400;
/** Maximum number of locations in one error. */
const MAX_LOCATIONS = 5;

interface FormatOptions {
  /** In production, errors have no suggestions of graphql-js. */
  readonly isProduction: boolean;
  /** With `service`, a token that the Study API refuses is the gateway's own, not the caller's. */
  readonly authMode: 'forward' | 'service';
  /** Token that the emulator accepts. With `forward`, messages of `UNAUTHENTICATED` errors name this token. */
  readonly demoToken?: string | undefined;
}

/** The part of Apollo's request context that identifies the writes of a failed operation. */
type Failed = Pick<GraphQLRequestContext<StudyContext>, 'operation' | 'contextValue'>;

export interface ErrorFormat extends PlannedErrors<StudyContext> {
  readonly formatError: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;
  /** Records the write of each failed mutation field for `formatError`. */
  readonly listener: OperationListener<StudyContext>;
}

/**
 * Creates the functions that decide what a GraphQL client learns of an error. No other code decides this. Unknown errors
 * are masked, so that no answer of the Study API and no detail of our code leaks. The `outcome` of a failed mutation
 * field comes from the record of its write, not from the kind of error.
 */
export function createErrorFormat(options: FormatOptions): ErrorFormat {
  const { isProduction, authMode } = options;
  const isOwnToken = authMode === 'service';
  const demoToken = isOwnToken ? undefined : options.demoToken;
  /** The write of each error of a mutation; `null` if the field began no write. */
  const writes = new WeakMap<object, Readonly<Write> | null>();

  function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const told = toTold(formatted, error);
    if (demoToken === undefined || told.extensions?.['code'] !== 'UNAUTHENTICATED') return told;
    return { ...told, message: `${told.message} The emulator's token is ${demoToken}.` };
  }

  function toTold(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const origin = unwrapResolverError(error);
    const write = error instanceof GraphQLError ? writes.get(error) : undefined;
    if (origin instanceof GraphQLError && !write && !isBelowRoot(formatted))
      return formatGraphQLError(formatted, origin, isProduction);
    const { message, ...extensions } = toProblem(origin);
    // The Study API refused the gateway's own token, so the caller must not be told that its token is wrong.
    const isAboutUs = isOwnToken && origin instanceof RestError && origin.meaning.judgesToken;
    const code = isAboutUs ? 'UPSTREAM_ERROR' : extensions.code;
    const truth = write === undefined ? undefined : toTruth(write);
    const reasons = isAboutUs && { fieldErrors: undefined, upstreamMessage: undefined };
    return { ...formatted, message, extensions: { ...extensions, ...truth, ...reasons, code } };
  }

  function noteWrites(errors: readonly GraphQLError[], { operation, contextValue }: Failed): void {
    if (operation?.operation !== OperationTypeNode.MUTATION) return;
    for (const error of errors)
      writes.set(error, findWrite(error, contextValue.studies.writes) ?? null);
  }

  return {
    formatError,
    listener: { didEncounterErrors: async (failed) => noteWrites(failed.errors, failed) },
    isExpected,
    formatErrors(errors, failed) {
      noteWrites(errors, failed);
      return errors.map((error) => formatError(error.toJSON(), error));
    },
  };
}

/** Returns the write of the mutation field that an error belongs to. For an error without a path, returns the worst write. */
function findWrite({ path }: GraphQLError, writes: Writes): Readonly<Write> | undefined {
  if (path) return writes.get(String(path[0]));
  const toRank = ({ outcome }: Readonly<Write>): number => outcomesByHarm.indexOf(outcome);
  return [...writes.values()].toSorted((one, other) => toRank(one) - toRank(other))[0];
}

function toTruth(write: Readonly<Write> | null): Partial<Problem> {
  if (!write) return { outcome: 'NOT_SENT' };
  const { outcome, study } = write;
  return { outcome, ...(typeof study?.id === 'string' && { studyId: study.id }) };
}

/** Returns true for a resolver's error that is no defect of the gateway, and does not change the HTTP response. */
function isExpected(error: unknown): boolean {
  if (error instanceof GraphQLError)
    return error.extensions['outcome'] === 'NOT_SENT' && error.extensions['http'] === undefined;
  return error instanceof RestError || error instanceof ArgumentError;
}

/** Returns true for an error below a root field. GraphQL refuses nothing there, because the REST call is over. */
function isBelowRoot({ path }: GraphQLFormattedError): boolean {
  return path !== undefined && path.filter((step) => typeof step === 'string').length > 1;
}

/** Formats an error with which graphql-js, Apollo or a resolver refused a request before any REST call. */
function formatGraphQLError(
  formatted: GraphQLFormattedError,
  error: GraphQLError,
  hideSuggestions: boolean,
): GraphQLFormattedError {
  const { locations, path, extensions } = formatted;
  const tidy = (message: string): string =>
    cut(hideSuggestions ? message.replace(SUGGESTION, '') : message);
  const variable = toVariableError(error);
  // Two kinds of errors may have no code, and Apollo would call them server errors: an argument that graphql-js refuses
  // when it executes the field, and a request that Apollo cannot run.
  const code = error.extensions.code ?? (path ? 'BAD_USER_INPUT' : 'BAD_REQUEST');
  return {
    ...formatted,
    message: tidy(formatted.message + toQuotesHint(error)),
    ...(locations && { locations: locations.slice(0, MAX_LOCATIONS) }),
    extensions: {
      outcome: 'NOT_SENT',
      retryable: false,
      ...extensions,
      code,
      ...(variable && { fieldErrors: [{ ...variable, message: tidy(variable.message) }] }),
    },
  };
}

function cut(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`;
}

function toProblem(error: unknown): Problem {
  if (error instanceof RestError) return toRestProblem(error);
  if (error instanceof StudyContractError)
    return {
      message: error.message,
      code: 'UPSTREAM_CONTRACT',
      outcome: error.isWrite ? 'APPLIED' : undefined,
      retryable: false,
      studyId: error.isWrite ? error.studyId : undefined,
    };
  if (error instanceof ArgumentError)
    return {
      message: error.message,
      code: 'BAD_USER_INPUT',
      outcome: 'NOT_SENT',
      retryable: false,
      fieldErrors: [{ path: error.argumentPath, message: error.message }],
    };
  // A defect of the gateway does not tell whether a call was made. For a mutation, the recorded write overrides this.
  return {
    message: 'Internal server error',
    code: 'INTERNAL_SERVER_ERROR',
    outcome: 'UNKNOWN',
    retryable: false,
  };
}
