import type { ApolloServerPlugin, GraphQLRequestContext } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import type { PlannedErrors } from '../execution/planned-execution.js';
import { RestError } from '../rest/errors.js';
import { ArgumentError, LoneSurrogateError, StudyContractError } from '../study/study.errors.js';
import type { Write, Writes } from '../study/writes.js';
import type { StudyContext } from '../study/study.resolver.js';
import { toQuotesHint } from './quotes-hint.js';
import { toRestProblem, type Problem } from './rest-problem.js';
import { statelessPlugin } from './stateless.plugin.js';
import { toVariableError } from './variable-error.js';
import { outcomesByHarm } from './worst-error.js';

/** Suggestions of graphql-js: names of fields, arguments, types and values that are near. */
const SUGGESTION = / ?Did you mean .*\?$/s;
/** A message of graphql-js quotes the client's own text, which may be long. The longest of Apollo's own fit. */
const MAX_MESSAGE_LENGTH = 400;
/** Most locations that one error names. */
const MAX_LOCATIONS = 5;

interface FormatOptions {
  /** Leaves suggestions out of errors. */
  readonly isProduction: boolean;
  /** With `service` the Study API judges the gateway's token, not the caller's. */
  readonly authMode: 'forward' | 'service';
  /** A token of the emulator, for callers whose token the emulator does not know. */
  readonly demoToken?: string | undefined;
}

/** The part of Apollo's request context that tells what a failed operation has done. */
type Failed = Pick<GraphQLRequestContext<StudyContext>, 'operation' | 'contextValue'>;

export interface ErrorFormat extends PlannedErrors<StudyContext> {
  readonly formatError: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;
  /** Tells `formatError` what each failed mutation field has done. */
  readonly plugin: ApolloServerPlugin<StudyContext>;
}

/**
 * The one place that decides what a GraphQL client learns of an error. An error that is not listed here is
 * masked, so that nothing of the Study API's answer or of our own code gets out by accident. The outcome of a write
 * follows from what was done, whatever error surfaces.
 */
export function createErrorFormat(options: FormatOptions): ErrorFormat {
  const { isProduction, authMode, demoToken } = options;
  const isOwnToken = authMode === 'service';
  /** Writes by the errors of mutations; `null` where nothing was sent. */
  const writes = new WeakMap<object, Readonly<Write> | null>();

  function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
    const origin = unwrapResolverError(error);
    const write = error instanceof GraphQLError ? writes.get(error) : undefined;
    if (origin instanceof GraphQLError && !write && !isBelowRoot(formatted))
      return formatGraphQLError(formatted, origin, isProduction);
    const { message: text, ...extensions } = toProblem(origin);
    const message =
      demoToken !== undefined && extensions.code === 'UNAUTHENTICATED'
        ? `${text} The emulator's token is ${demoToken}.`
        : text;
    // The Study API has judged the gateway's own token: the caller's is none the worse for it.
    const isAboutUs = isOwnToken && origin instanceof RestError && origin.meaning.judgesToken;
    const code = isAboutUs ? 'UPSTREAM_ERROR' : extensions.code;
    const truth = write === undefined ? undefined : toTruth(write);
    return { ...formatted, message, extensions: { ...extensions, ...truth, code } };
  }

  function noteWrites(errors: readonly GraphQLError[], { operation, contextValue }: Failed): void {
    if (operation?.operation !== OperationTypeNode.MUTATION) return;
    for (const error of errors)
      writes.set(error, findWrite(error, contextValue.studies.writes) ?? null);
  }

  return {
    formatError,
    plugin: statelessPlugin({
      didEncounterErrors: async (failed) => noteWrites(failed.errors, failed),
    }),
    isExpected,
    formatErrors(errors, failed) {
      noteWrites(errors, failed);
      return errors.map((error) => formatError(error.toJSON(), error));
    },
  };
}

/** The write of the field at which an error stands. An error of the whole operation stands at its most harmful write. */
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

/** Whether a resolver may throw the error without a defect of the gateway, and with no word on the HTTP response. */
function isExpected(error: unknown): boolean {
  if (error instanceof GraphQLError)
    return error.extensions['outcome'] === 'NOT_SENT' && error.extensions['http'] === undefined;
  return error instanceof RestError || error instanceof ArgumentError;
}

/** Below a root field, or below an item of one, a read was made: GraphQL itself refuses nothing there. */
function isBelowRoot({ path }: GraphQLFormattedError): boolean {
  return path !== undefined && path.filter((step) => typeof step === 'string').length > 1;
}

/** Formats what GraphQL itself refuses, or a resolver before its call. */
function formatGraphQLError(
  formatted: GraphQLFormattedError,
  error: GraphQLError,
  hideSuggestions: boolean,
): GraphQLFormattedError {
  const { locations, path, extensions } = formatted;
  const tidy = (message: string): string =>
    cut(hideSuggestions ? message.replace(SUGGESTION, '') : message);
  const variable = toVariableError(error);
  // Neither graphql-js, of an argument that turns out wrong when its field is executed, nor Apollo, of a request
  // that it cannot run, always gives a code; Apollo would call it an error of the server's.
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
  if (error instanceof LoneSurrogateError)
    return {
      message: error.message,
      code: 'BAD_USER_INPUT',
      outcome: 'NOT_SENT',
      retryable: false,
      fieldErrors: [{ path: ['input', ...error.inputPath], message: error.message }],
    };
  if (error instanceof ArgumentError)
    return {
      message: error.message,
      code: 'BAD_USER_INPUT',
      outcome: 'NOT_SENT',
      retryable: false,
      fieldErrors: [{ path: [error.argument], message: error.message }],
    };
  // A defect of ours, which says nothing of the call. A mutation's record of its writes knows more.
  return {
    message: 'Internal server error',
    code: 'INTERNAL_SERVER_ERROR',
    outcome: 'UNKNOWN',
    retryable: false,
  };
}
