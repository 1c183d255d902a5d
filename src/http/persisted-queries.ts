import { hash } from 'node:crypto';
import type { PersistedQueryCache } from '../graphql/apollo.js';
import { toScript, type Redis } from '../redis/redis.connection.js';

/** How long a document is kept after it was registered. */
const TTL_SECONDS = 86_400;

const GET = toScript(`return redis.call('GET', KEYS[1])`);
const SET = toScript(`return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])`);
const DELETE = toScript(`return redis.call('DEL', KEYS[1])`);

/**
 * Automatic persisted queries, shared by all gateways of a Redis. While it is away no document is found, and the
 * client sends it whole.
 */
export function createPersistedQueryCache(redis: Redis): PersistedQueryCache {
  // The client chooses the name: hashed, it is short whatever it was.
  const toKey = (name: string): string => `study-gateway:apq:${hash('sha256', name)}`;
  return {
    async get(name) {
      const document = await redis.run(GET, toKey(name), []).catch(() => undefined);
      return typeof document === 'string' ? document : undefined;
    },
    async set(name, document) {
      await redis.run(SET, toKey(name), [document, String(TTL_SECONDS)]).catch(() => undefined);
    },
    async delete(name) {
      await redis.run(DELETE, toKey(name), []).catch(() => undefined);
    },
  };
}
