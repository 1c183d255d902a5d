/** A request that is refused before it becomes an operation. The client gets the message. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly statusCode: 400 | 415,
    message: string,
    readonly publicCode:
      'BAD_REQUEST' | 'BAD_USER_INPUT' | 'GRAPHQL_VALIDATION_FAILED' = 'BAD_REQUEST',
    /** Bound that the request passes; `undefined` for any other refusal. */
    readonly bound?: string,
  ) {
    super(message);
  }
}
