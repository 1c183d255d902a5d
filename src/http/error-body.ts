interface ErrorLimits {
  /** At most so many errors of one response reach the client. */
  readonly errors: number;
  /** All of them as JSON. */
  readonly bytes: number;
}

/** So that 16 KiB are enough for a response with nothing but errors. */
const usual: ErrorLimits = { errors: 10, bytes: 13 * 1024 };
/** Of 200 entities, whose nulls would pass for studies that do not exist: room for an error at every field. */
const ofEntities: ErrorLimits = { errors: 5_000, bytes: 2 * 1024 * 1024 };

/** The body of a request that no operation came out of, in the shape of every other GraphQL error. */
export function toErrorBody(
  message: string,
  code: string,
  requestId?: string,
  more?: { readonly retryable: boolean; readonly retryAfterSeconds: number },
): object {
  const extensions = { outcome: 'NOT_SENT', retryable: false, code, ...more, requestId };
  return { errors: [{ message, extensions }] };
}

/** The body of a request whose operation may have run, to an end that nobody knows. */
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

/** A response with errors, ready to be sent. */
export interface FinishedErrors {
  readonly body: string;
  /** The longest wait that one of its errors asks for. */
  readonly retryAfterSeconds: number | undefined;
  /** The gateway itself, before any call, has turned the caller away. */
  readonly refusal: 'UNAUTHENTICATED' | 'FORBIDDEN' | undefined;
}

/** Whether the body of a GraphQL response has errors, which Apollo writes first. */
export function hasErrors(body: string): boolean {
  return body.startsWith('{"errors":');
}

/** Gives each error of a GraphQL response with errors the request's id, and bounds them in number and length. */
export function finishErrors(body: string, requestId: string): FinishedErrors {
  const response: ErrorResponse = JSON.parse(body);
  // The only list at the root is `_entities`, under whatever name.
  const isOfEntities = Object.values(response.data ?? {}).some(Array.isArray);
  const limits = isOfEntities ? ofEntities : usual;
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

function findRefusal(errors: readonly ResponseError[]): FinishedErrors['refusal'] {
  for (const { extensions } of errors) {
    if (extensions?.outcome !== 'NOT_SENT') continue;
    const { code } = extensions;
    if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') return code;
  }
  return undefined;
}

/** Drops, from the end, what is said of single values first, and then whole errors. */
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
