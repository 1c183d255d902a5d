import { expect } from 'vitest';
import { createStudy, toLedger, toRequestBody, type Operation } from './operations.js';
import type { TestGateway } from './gateway.js';

export interface Told {
  readonly data: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: object }[];
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | null;
}

/** Runs `operation` with this token, or without one. */
export async function ask(
  gateway: TestGateway,
  token: string | undefined,
  operation: Operation = createStudy,
): Promise<Told> {
  const authorization = token === undefined ? '' : `Bearer ${token}`;
  const response = await gateway.post(toRequestBody(operation), { authorization });
  const body = (await response.json()) as Omit<Told, 'challenge'>;
  return { ...body, challenge: response.headers.get('www-authenticate') };
}

export const challenges = {
  none: 'Bearer realm="study-gateway"',
  token: 'Bearer realm="study-gateway", error="invalid_token"',
  scope: 'Bearer realm="study-gateway", error="insufficient_scope"',
};

/** The whole answer to a caller who is turned away. */
export function toRefused(
  { field }: Operation,
  code: 'UNAUTHENTICATED' | 'FORBIDDEN',
  message: string,
  challenge: string,
): object {
  return {
    data: { [field]: null },
    errors: [
      {
        message,
        locations: [{ line: 2, column: 3 }],
        path: [field],
        extensions: { code, outcome: 'NOT_SENT', retryable: false, requestId: expect.any(String) },
      },
    ],
    challenge,
  };
}

/** The calls that the Study API got, and with whose token. */
export function toCalls(gateway: TestGateway): string[] {
  return toLedger(gateway).map(
    (line, index) => `${line} ${gateway.calls[index]?.headers.authorization}`,
  );
}
