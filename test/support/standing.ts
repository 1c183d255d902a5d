import { expect } from 'vitest';
import { createStudy, toLedger, toRequestBody, type Operation } from './operations.js';
import type { TestGateway } from './gateway.js';

export interface Told {
  readonly status: number;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: object }[];
  /** Value of the response's `WWW-Authenticate` header. */
  readonly challenge: string | null;
}

/** Runs `operation` with this bearer token; `undefined` sends no token. */
export async function ask(
  gateway: TestGateway,
  token: string | undefined,
  operation: Operation = createStudy,
): Promise<Told> {
  const authorization = token === undefined ? '' : `Bearer ${token}`;
  const response = await gateway.post(toRequestBody(operation), { authorization });
  const body = (await response.json()) as Omit<Told, 'challenge' | 'status'>;
  return { ...body, status: response.status, challenge: response.headers.get('www-authenticate') };
}

export const challenges = {
  none: 'Bearer realm="study-gateway"',
  token: 'Bearer realm="study-gateway", error="invalid_token"',
  scope: 'Bearer realm="study-gateway", error="insufficient_scope"',
};

/** Returns the expected response when the gateway refuses a caller. */
export function toRefused(
  { field }: Operation,
  code: 'UNAUTHENTICATED' | 'FORBIDDEN',
  message: string,
  challenge: string,
): object {
  // A caller who is not known gets no data at all; one who may only read is refused at each write.
  const isWhole = code === 'UNAUTHENTICATED';
  return {
    ...(!isWhole && { data: { [field]: null } }),
    status: isWhole ? 401 : 200,
    errors: [
      {
        message,
        ...(!isWhole && { locations: [{ line: 2, column: 3 }], path: [field] }),
        extensions: { code, outcome: 'NOT_SENT', retryable: false, requestId: expect.any(String) },
      },
    ],
    challenge,
  };
}

/** Returns method, path and `Authorization` header of each call that the Study API received. */
export function toCalls(gateway: TestGateway): string[] {
  return toLedger(gateway).map(
    (line, index) => `${line} ${gateway.calls[index]?.headers.authorization}`,
  );
}
