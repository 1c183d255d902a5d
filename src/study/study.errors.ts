/**
 * A field of a study that the Study API accepted does not have the type of the contract. Where it is
 * found the study exists: what became of a write is `APPLIED`.
 */
export class StudyContractError extends Error {
  override readonly name = 'StudyContractError';

  constructor(
    /** `strategy`, or `progress.total`. */
    readonly field: string,
    readonly expected: string,
    /** The JSON type that came instead, never the value. */
    readonly received: string,
    /** `true` when the study was the answer to a write. */
    readonly isWrite: boolean,
    /** `undefined` when the answer has no id that is a UUID. */
    readonly studyId: string | undefined,
  ) {
    super(`The Study API answered "${field}" with ${received} where ${expected} was expected.`);
  }
}

/** An argument that the gateway refuses before the call. */
export abstract class ArgumentError extends Error {
  /** Name of the GraphQL argument. */
  abstract readonly argument: string;
}

/** An idempotency key that no header could carry, or none at all. */
export class IdempotencyKeyError extends ArgumentError {
  override readonly name = 'IdempotencyKeyError';
  readonly argument = 'idempotencyKey';

  constructor() {
    super('An idempotency key has 1 to 255 characters of visible ASCII, without spaces.');
  }
}

/** An argument of the list of studies that names no page. */
export class PageArgumentError extends ArgumentError {
  override readonly name = 'PageArgumentError';

  constructor(
    readonly argument: 'page' | 'size' | 'projectId',
    message: string,
  ) {
    super(message);
  }
}

/** A string of the input that UTF-8 cannot carry unchanged, because it holds half a surrogate pair. */
export class LoneSurrogateError extends Error {
  override readonly name = 'LoneSurrogateError';

  constructor(
    /**
     * The way to the string, from the input object: `["audiences", 0]`. Not called `path`, which would make
     * graphql-js take the error for one of its own.
     */
    readonly inputPath: readonly (string | number)[],
  ) {
    super('The text holds half of a surrogate pair, which UTF-8 cannot carry.');
  }
}
