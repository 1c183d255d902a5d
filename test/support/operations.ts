import { print } from 'graphql';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
} from 'study-gateway-client';
import type { TestGateway } from './gateway.js';
import type { Headers } from './post.js';
import { wholeStudy } from './studies.js';

export interface Operation {
  readonly field: 'createStudy' | 'editStudy' | 'study' | 'studies';
  readonly document: string;
  readonly variables: object;
  /** Method and path of the operation's REST call, such as `POST /studies`. */
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

export const editStudy: Operation = {
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

/** The operations that return a single study. */
export const operations: readonly Operation[] = [createStudy, editStudy, study];

/** All operations of the gateway that call the Study API. */
export const allOperations: readonly Operation[] = [...operations, studies];

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The `x-request-id` header. */
  readonly requestId: string | null;
  /** Status text, headers and body as one text, to search for text that must not appear anywhere. */
  readonly whole: string;
}

/** Returns the body of the operation's `POST /graphql`. */
export function toRequestBody({ document, variables }: Operation): string {
  return JSON.stringify({ query: document, variables });
}

/** Runs `operation` over HTTP, and returns the complete response. */
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

/** Returns method and path of every call that the Study API received completely. */
export function toLedger({ calls }: Pick<TestGateway, 'calls'>): string[] {
  return calls.map(({ method, url }) => `${method} ${url}`);
}

/** Returns the expected request log of one failed call: three requests for a read that is worth retrying, else one. */
export function toExpectedLedger({ isRead, request }: Operation, mayHelp: boolean): string[] {
  return isRead && mayHelp ? [request, request, request] : [request];
}

/** What the error of a failed call must say, for writes and for reads. */
export interface Failure {
  /** First sentence of the message: what went wrong. The message of a write also says what became of the write. */
  readonly reason: string;
  readonly code: string;
  readonly outcome: 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN';
  readonly retryable: { readonly write: boolean; readonly read: boolean };
  readonly upstreamStatus?: number;
  readonly retryAfterSeconds?: unknown;
  readonly fieldErrors?: readonly object[] | undefined;
  /** Id that the answer to a write shows. */
  readonly studyId?: string;
  readonly upstreamMessage?: string;
}

const consequences = {
  NOT_SENT: ' Nothing was sent.',
  REJECTED: '',
  APPLIED: ' The change was made.',
  UNKNOWN: ' Whether the change was made is not known: check before repeating it.',
};

/** Returns the complete GraphQL response to a failed operation. Reads have no `outcome`, except `NOT_SENT`. */
export function toFailedResponse(
  { field, isRead }: Operation,
  { requestId }: Answer,
  { reason, retryable, outcome, studyId, ...extensions }: Failure,
): object {
  const hasOutcome = !isRead || outcome === 'NOT_SENT';
  return {
    data: { [field]: null },
    errors: [
      {
        message: hasOutcome ? reason + consequences[outcome] : reason,
        locations: [{ line: 2, column: 3 }],
        path: [field],
        extensions: {
          ...extensions,
          outcome: hasOutcome ? outcome : undefined,
          retryable: isRead ? retryable.read : retryable.write,
          ...(!isRead && studyId !== undefined && { studyId }),
          requestId,
        },
      },
    ],
  };
}

/** Returns the failure of a call that the Study API answered with this non-2xx status. */
export function toStatusFailure(
  status: number,
  code: string,
  outcome: Failure['outcome'],
  retryable: Failure['retryable'] = { write: false, read: false },
): Failure {
  const reason = `The Study API answered with status ${status}.`;
  return { reason, code, outcome, retryable, upstreamStatus: status };
}
