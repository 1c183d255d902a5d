import { onTestFinished } from 'vitest';
import { startEmulator, type Emulator, type EmulatorOptions } from 'study-gateway-emulator';
import { studySchema, type Study } from '../../packages/emulator/src/schema.js';

type Headers = Record<string, string>;
type Send<Result> = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Headers,
) => Promise<Result>;

export interface TestEmulator extends Emulator {
  /** Sends an HTTP request. An object as `body` is sent as JSON, a string unchanged, and `undefined` as no body. */
  readonly send: Send<Response>;
  readonly call: Send<{ status: number; body: unknown }>;
  /** Creates a study, and fails the test unless the emulator answers with success. */
  readonly create: (body?: object) => Promise<Study>;
}

/** Starts an emulator with an in-memory database on a free port. It closes when the test ends. */
export async function startTestEmulator(
  options: Partial<EmulatorOptions> = {},
): Promise<TestEmulator> {
  const memory = { host: '127.0.0.1', port: 0, database: ':memory:' };
  const emulator = await startEmulator({ ...memory, ...options });
  onTestFinished(() => emulator.close());

  const send: TestEmulator['send'] = (method, path, body, headers) =>
    fetch(emulator.url + path, {
      method,
      headers: { ...bearer(emulator.token), 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  const call: TestEmulator['call'] = async (...request) => {
    const response = await send(...request);
    return { status: response.status, body: await response.json() };
  };

  return {
    ...emulator,
    send,
    call,
    create: async (body = {}) => studySchema.parse((await call('POST', '/studies', body)).body),
  };
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
