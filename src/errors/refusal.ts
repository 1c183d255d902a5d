import { StacklessError, type FailureCode } from 'rest-outcome';

/** An error about one value in the client's request. */
export interface FieldError {
  /** Path to the value, beginning with the argument's name: `["input", "progress", "total"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Stands in the place of a value that cannot be shown after a call. The client gets the message. */
export class ValueError extends StacklessError {
  override readonly name: string = 'ValueError';

  constructor(
    readonly code: 'FORBIDDEN' | 'UPSTREAM_CONTRACT',
    message: string,
    /** Bound that the answer passes; the label of a metric. */
    readonly bound?: string,
  ) {
    super(message);
  }
}

interface RefusalOptions {
  /** The refused values. */
  readonly fieldErrors?: readonly FieldError[];
  /** Wait after which a retry may succeed. Default: no retry will. */
  readonly retryAfterSeconds?: number;
  /** Status of the HTTP response to a refused request or operation. */
  readonly status?: 400 | 401 | 404 | 413 | 429 | 503;
  /** Headers of the HTTP response to a refused request or operation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Why a caller is not authenticated, for the log: a fixed text. */
  readonly reason?: string;
  /** Bound on the cost of a request that is passed; the label of a metric. */
  readonly bound?: string;
}

/**
 * The gateway itself refuses a request, an operation or a root field, of which nothing was sent to the Study API. The client
 * gets the message.
 */
export class Refusal extends StacklessError {
  override readonly name = 'Refusal';
  /** Extensions of the GraphQL error. graphql-js copies them, but takes an error with a `path` for one of its own. */
  readonly extensions;
  readonly status?: RefusalOptions['status'];
  readonly headers?: RefusalOptions['headers'];
  readonly reason?: RefusalOptions['reason'];
  readonly bound?: RefusalOptions['bound'];

  constructor(
    code: FailureCode | 'BAD_REQUEST',
    message: string,
    { fieldErrors, retryAfterSeconds, ...others }: RefusalOptions = {},
  ) {
    super(message);
    const retryable = retryAfterSeconds !== undefined;
    const outcome = 'NOT_SENT' as const;
    this.extensions = { outcome, retryable, code, retryAfterSeconds, fieldErrors } as const;
    Object.assign(this, others);
  }
}
