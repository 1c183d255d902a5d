interface ErrorLimits {
  /** Most errors of one response that reach the client. */
  readonly errors: number;
  /** Most bytes of all errors of a response, as JSON. */
  readonly bytes: number;
}

/** Keeps a response of nothing but errors within 16 KiB. */
const usual: ErrorLimits = { errors: 10, bytes: 13 * 1024 };
/** Limits for a list of studies: room for an error at every field, because a null without one means no such value. */
const ofList: ErrorLimits = { errors: 5_000, bytes: 2 * 1024 * 1024 };

/** The body of the answer to a request that became no operation, in the shape of every other GraphQL error. */
export function toErrorBody(
  message: string,
  code: string,
  requestId?: string,
  more?: { readonly retryable: boolean; readonly retryAfterSeconds: number },
): object {
  const extensions = { outcome: 'NOT_SENT', retryable: false, code, ...more, requestId };
  return { errors: [{ message, extensions }] };
}

/** The body of the answer to a request whose operation may have run, with an unknown outcome. */
export function unexpectedErrorBody(requestId: string): string {
  const extensions = {
    outcome: 'UNKNOWN',
    retryable: false,
    code: 'INTERNAL_SERVER_ERROR',
    requestId,
  };
  return `${JSON.stringify({ errors: [{ message: 'Internal server error', extensions }] })}\n`;
}

interface ResponseError {
  path?: (string | number)[];
  extensions?: {
    code?: unknown;
    outcome?: unknown;
    retryAfterSeconds?: number;
    fieldErrors?: unknown[];
    [name: string]: unknown;
  };
}

interface ErrorResponse {
  data?: object | null;
  errors: ResponseError[];
}

/** A response with errors, ready to send. */
export interface FinishedErrors {
  readonly body: string;
  /** The longest wait, in seconds, that an error of the response asks for. */
  readonly retryAfterSeconds: number | undefined;
  /** Why the gateway refused the caller before any call. */
  readonly refusal: 'UNAUTHENTICATED' | 'FORBIDDEN' | undefined;
}

/** Says if the body of a GraphQL response has errors, which Apollo writes first. */
export function hasErrors(body: string): boolean {
  return body.startsWith('{"errors":');
}

/** Gives each error of a GraphQL response with errors the request's id, and bounds them in number and length. */
export function finishErrors(body: string, requestId: string): FinishedErrors {
  const response: ErrorResponse = JSON.parse(body);
  const limits = response.errors.some(isInList) ? ofList : usual;
  const errors = response.errors.slice(0, limits.errors);
  for (const error of errors) error.extensions = { ...error.extensions, requestId };
  shorten(errors, limits.bytes);
  const waits = errors.flatMap(({ extensions }) => extensions?.retryAfterSeconds ?? []);
  return {
    body: `${JSON.stringify({ ...response, errors })}\n`,
    retryAfterSeconds: waits.length > 0 ? Math.max(...waits) : undefined,
    refusal: findRefusal(errors),
  };
}

/** Only the lists `_entities` and `items` have errors at their items. */
function isInList({ path = [] }: ResponseError): boolean {
  return path.some((step) => typeof step === 'number');
}

function findRefusal(errors: readonly ResponseError[]): FinishedErrors['refusal'] {
  for (const { extensions } of errors) {
    if (extensions?.outcome !== 'NOT_SENT') continue;
    const { code } = extensions;
    if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') return code;
  }
  return undefined;
}

/** Drops `fieldErrors` first, from the end, and then whole errors. */
function shorten(errors: ResponseError[], maxBytes: number): void {
  let excess = toSize(errors) - maxBytes;
  for (const { extensions } of errors.toReversed()) {
    const fieldErrors = extensions?.fieldErrors ?? [];
    while (excess > 0 && fieldErrors.length > 0) excess -= toSize(fieldErrors.pop());
    if (fieldErrors.length === 0) delete extensions?.fieldErrors;
  }
  while (excess > 0 && errors.length > 1) excess -= toSize(errors.pop());
}

function toSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
