import type { Logger } from 'pino';
import {
  createClient,
  idempotent,
  memoryStore,
  type Client,
  type ClientOptions,
  type KeyStore,
  type MemoryStoreOptions,
} from 'rest-outcome';
import { createHeaders } from './auth/caller.js';
import type { Config } from './config/config.js';
import type { CallContext } from './context.js';
import { version } from './process/runtime.js';
import type { Redis } from './redis/connection.js';
import { createLookup, toClientOptions } from './study/api.js';
import type { StudyContract } from './study/contract.js';

/** Maximum number of calls to the Study API that wait for another call to end. */
const MAX_QUEUE = 256;

/** Beyond the configuration, options whose default is a constant. */
export type RestOptions = Config['rest'] &
  Pick<ClientOptions<CallContext>, 'connectTimeoutMs' | 'circuitOpenMs' | 'maxQueue'> & {
    baseUrl: URL;
  };

/** Opens the client of the Study API. */
export function openRest(
  {
    rest,
    auth,
    proxies,
    logger,
  }: Pick<Config, 'auth' | 'proxies'> & { rest: RestOptions; logger: Logger },
  contract: StudyContract,
  keys: KeyStore,
  onCall: NonNullable<ClientOptions<CallContext>['onCall']>,
): Client<CallContext> {
  const toCallerId = ({ caller }: CallContext) => caller.callerId();
  return createClient<CallContext>({
    maxQueue: MAX_QUEUE,
    ...rest,
    proxies,
    headers: createHeaders(`study-gateway/${version}`),
    ...toClientOptions(contract),
    onCircuitChange: (circuit) => logger.warn({ circuit }, 'the circuit to the Study API changed'),
    keys: idempotent<CallContext>(keys, {
      by: toCallerId,
      // The Study API gets the gateway's own token from all callers, so it cannot tell their keys apart.
      scope: auth.authMode === 'service' ? toCallerId : undefined,
      read: createLookup(contract),
    }),
    onCall,
  });
}

/** @param redis `undefined` if the keys are held in memory */
export async function openKeys(
  { ttlMs, maxKeys }: MemoryStoreOptions,
  redis: Redis | undefined,
  isProduction: boolean,
  logger: Logger,
): Promise<KeyStore> {
  if (redis) {
    // Imported only when Redis is used, as its client is.
    const { redisStore } = await import('rest-outcome/redis');
    const onError = (error: unknown): void =>
      logger.warn(
        { cause: error instanceof Error ? error.message : undefined },
        'redis has not recorded how a call with an idempotency key ended: trying again',
      );
    return redisStore(redis, { prefix: 'study-gateway:idempotency:', ttl: ttlMs, onError });
  }
  if (isProduction)
    logger.warn({}, 'idempotency keys are in memory: a restart of the gateway forgets them');
  return memoryStore({ ttlMs, maxKeys });
}
