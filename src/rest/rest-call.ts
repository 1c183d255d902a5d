/** One JSON call to the REST API. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the base URL, begins with `/`, already percent-encoded. */
  readonly path: string;
  /** A bearer token of RFC 6750 syntax. */
  readonly token: string;
  /** Sent as `x-request-id`. */
  readonly requestId: string;
  /** JSON text, sent as it is. */
  readonly body?: string;
}

/**
 * What became of a call:
 * - `NOT_SENT`: no byte of the request left.
 * - `REJECTED`: the API said no (a 4xx).
 * - `APPLIED`: the API said yes (a 2xx), but its answer could not be read whole.
 * - `UNKNOWN`: sent, and no verdict came back.
 */
export type Outcome = 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN';

export type JsonObject = Readonly<Record<string, unknown>>;
