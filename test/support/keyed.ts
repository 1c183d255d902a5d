import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { createStudy, editStudy, run, type Operation } from './operations.js';
import type { TestGateway } from './gateway.js';
import type { Headers } from './post.js';
import { createRedisServer, type RedisServer } from './redis.js';

export { createStudy };

/** The two mutations, as documents with a variable for the idempotency key. */
export const writes: readonly Operation[] = [createStudy, editStudy];

/** Returns `operation` with `variables` added to, or replacing, its variables. */
export function withVariables(operation: Operation, variables: object): Operation {
  return { ...operation, variables: { ...operation.variables, ...variables } };
}

export interface FailedField {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface Told {
  readonly data: Readonly<Record<string, { readonly id: string } | null>>;
  readonly errors?: readonly FailedField[];
  readonly extensions?: object;
}

/** Runs an operation with an idempotency key. Returns the GraphQL response without any `requestId`. */
export type RunKeyed = (
  operation: Operation,
  key: string | null,
  headers?: Headers,
) => Promise<Told>;

export function toRunKeyed(gateway: Pick<TestGateway, 'post'>): RunKeyed {
  return async (operation, key, headers) => {
    const keyed = withVariables(operation, { idempotencyKey: key });
    const { body } = await run(gateway, keyed, headers);
    return JSON.parse(JSON.stringify(body), (name, value) =>
      name === 'requestId' ? undefined : value,
    ) as Told;
  };
}

/** Returns the extensions of the response's first error. */
export function toExtensions({ errors = [] }: Told): FailedField['extensions'] | undefined {
  return errors[0]?.extensions;
}

export const newKey = (): string => randomUUID();

/** Starts a Redis for all tests of the file, if `redis-server` is installed. */
export function useRedis(): { readonly server: RedisServer } {
  const holder: { server: RedisServer } = { server: undefined! };
  if (inject('missingTools').includes('redis')) return holder;
  beforeAll(async () => {
    holder.server = await createRedisServer();
    await holder.server.start();
  });
  afterAll(() => holder.server.remove());
  return holder;
}
