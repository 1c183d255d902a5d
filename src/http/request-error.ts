/** A request that is refused for what it is, before it becomes an operation. */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly statusCode: 400 | 415,
    message: string,
  ) {
    super(message);
  }
}
