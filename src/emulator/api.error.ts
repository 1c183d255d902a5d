import type { Problem } from './problem.js';

/** An error answer of the emulator. Its body has the format of FastAPI: `{ "detail": … }`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly detail: string | Problem[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${status} ${typeof detail === 'string' ? detail : 'Validation Error'}`);
  }
}
