import { print } from 'graphql';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
} from '../../client/generated/operations.js';
import type { TestGateway } from './gateway.js';
import type { Headers } from './post.js';
import { wholeStudy } from './studies.js';

export interface Operation {
  readonly field: 'createStudy' | 'editStudy' | 'study' | 'studies';
  readonly document: string;
  readonly variables: object;
  /** The line of the Study API's ledger that it leaves. */
  readonly request: string;
  readonly isRead: boolean;
}

const { id } = wholeStudy;
const input = { description: 'Why?' };

export const createStudy: Operation = {
  field: 'createStudy',
  document: print(CreateStudyDocument),
  variables: { input },
  request: 'POST /studies',
  isRead: false,
};

const editStudy: Operation = {
  field: 'editStudy',
  document: print(EditStudyDocument),
  variables: { id, input },
  request: `PATCH /studies/${id}`,
  isRead: false,
};

export const study: Operation = {
  field: 'study',
  document: print(StudyDocument),
  variables: { id },
  request: `GET /studies/${id}`,
  isRead: true,
};

const studies: Operation = {
  field: 'studies',
  document: print(StudiesDocument),
  variables: { size: 20 },
  request: 'GET /studies?size=20',
  isRead: true,
};

/** The operations that answer one study. */
export const operations: readonly Operation[] = [createStudy, editStudy, study];

/** All that the gateway asks of the Study API. */
export const allOperations: readonly Operation[] = [...operations, studies];

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The `x-request-id` header. */
  readonly requestId: string | null;
  /** Status text, headers and body as one text, to look for what must not be there. */
  readonly whole: string;
}

/** The body of `POST /graphql`. */
export function toRequestBody({ document, variables }: Operation): string {
  return JSON.stringify({ query: document, variables });
}

/** Runs `operation`, and returns the whole answer. */
export async function run(
  { post }: Pick<TestGateway, 'post'>,
  operation: Operation,
  headers?: Headers,
): Promise<Answer> {
  const response = await post(toRequestBody(operation), headers);
  const text = await response.text();
  return {
    status: response.status,
    body: JSON.parse(text),
    requestId: response.headers.get('x-request-id'),
    whole: [response.statusText, JSON.stringify([...response.headers]), text].join('\n'),
  };
}

/** The ledger of the Study API: every call that arrived whole. */
export function toLedger({ calls }: Pick<TestGateway, 'calls'>): string[] {
  return calls.map(({ method, url }) => `${method} ${url}`);
}

/** What one call leaves in the ledger: a read may be sent three times, where that can help. */
export function toExpectedLedger({ isRead, request }: Operation, mayHelp: boolean): string[] {
  return isRead && mayHelp ? [request, request, request] : [request];
}

/** How one failed call is told, to a writer and to a reader. */
export interface Failure {
  /** What went wrong; a write is told besides what became of it. */
  readonly reason: string;
  readonly code: string;
  readonly outcome: 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN';
  readonly retryable: { readonly write: boolean; readonly read: boolean };
  readonly upstreamStatus?: number;
  readonly retryAfterSeconds?: unknown;
  readonly fieldErrors?: readonly object[] | undefined;
}

const consequences = {
  NOT_SENT: 'Nothing was sent.',
  REJECTED: 'Nothing was changed.',
  APPLIED: 'The change was made.',
  UNKNOWN: 'Whether the change was made is not known: check before repeating it.',
};

/** The whole GraphQL response to an operation that failed; a read has no outcome once it was sent. */
export function toFailedResponse(
  { field, isRead }: Operation,
  { requestId }: Answer,
  { reason, retryable, outcome, ...extensions }: Failure,
): object {
  const hasOutcome = !isRead || outcome === 'NOT_SENT';
  return {
    data: { [field]: null },
    errors: [
      {
        message: hasOutcome ? `${reason} ${consequences[outcome]}` : reason,
        locations: [{ line: 2, column: 3 }],
        path: [field],
        extensions: {
          ...extensions,
          outcome: hasOutcome ? outcome : undefined,
          retryable: isRead ? retryable.read : retryable.write,
          requestId,
        },
      },
    ],
  };
}

/** A Study API that answered, but with a status that is not 2xx. */
export function toStatusFailure(
  status: number,
  code: string,
  outcome: Failure['outcome'],
  retryable: Failure['retryable'] = { write: false, read: false },
): Failure {
  const reason = `The Study API answered with status ${status}.`;
  return { reason, code, outcome, retryable, upstreamStatus: status };
}
