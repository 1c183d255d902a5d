import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { createStudy, editStudy, run, type Operation } from './operations.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.js';
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

/** Where keyed writes can run: two gateways if keys are in Redis, the same gateway twice if keys are in memory. */
interface Places {
  readonly here: RunKeyed;
  readonly there: RunKeyed;
}

type StartPlaces = (options: TestGatewayOptions & { studyApiUrl: string }) => Promise<Places>;

const hasRedis = !inject('missingTools').includes('redis');

/** Starts a Redis for all tests of the file, if `redis-server` is installed. */
export function useRedis(): { readonly server: RedisServer } {
  const holder: { server: RedisServer } = { server: undefined! };
  if (!hasRedis) return holder;
  beforeAll(async () => {
    holder.server = await createRedisServer();
    await holder.server.start();
  });
  afterAll(() => holder.server.remove());
  return holder;
}

/** Returns both stores of keys, memory and Redis; only memory if `redis-server` is not installed. */
export function useStores(): readonly { store: string; startPlaces: StartPlaces }[] {
  const redis = useRedis();
  const stores = [
    {
      store: 'memory',
      startPlaces: async (options) => {
        const here = toRunKeyed(await startTestGateway(options));
        return { here, there: here };
      },
    },
    {
      store: 'Redis',
      startPlaces: async (options) => {
        const shared = { ...options, redisUrl: redis.server.url };
        return {
          here: toRunKeyed(await startTestGateway(shared)),
          there: toRunKeyed(await startTestGateway(shared)),
        };
      },
    },
  ] as const satisfies readonly { store: string; startPlaces: StartPlaces }[];
  return hasRedis ? stores : stores.slice(0, 1);
}

/** Returns the message and the extensions of the response's first error. */
export function toMessageAndExtensions(told: Told): object {
  return { message: told.errors?.[0]?.message, ...toExtensions(told) };
}
