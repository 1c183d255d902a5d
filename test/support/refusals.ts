import type { ExecutionResult } from 'graphql';
import { expect } from 'vitest';

/** The parts of a result that say whether, and how, an operation was refused. */
export function toVerdict({ data, errors }: ExecutionResult): object {
  return { data, extensions: errors?.map(({ extensions }) => extensions) };
}

/** The verdict on an operation that was refused as a whole, before any of its fields ran. */
export function refused(
  code: 'BAD_USER_INPUT' | 'GRAPHQL_VALIDATION_FAILED' | 'GRAPHQL_PARSE_FAILED',
) {
  const extensions = { code, outcome: 'NOT_SENT', retryable: false, requestId: expect.any(String) };
  const [location] = code === 'BAD_USER_INPUT' ? [{ fieldErrors: [expect.any(Object)] }] : [];
  return { data: undefined, extensions: [{ ...extensions, ...location }] };
}
