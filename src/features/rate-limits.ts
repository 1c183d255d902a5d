import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { Caller } from '../auth/caller.js';
import type { Config } from '../config/config.js';
import { Refusal } from '../errors/refusal.js';
import type { OperationListener } from '../graphql/listener.js';
import { findRootFields } from 'planned-execution';
import type { AppPart } from '../http/app.js';
import type { Redis } from '../redis/connection.js';

const WINDOW_MS = 60_000;
/** Windows in memory: the least recently seen caller is evicted first, and later counts do not extend a window. */
const inMemory = { max: 100_000, ttl: WINDOW_MS, noUpdateTTL: true };

/** Adds ARGV[2] to the count of a window unless the sum exceeds ARGV[1]. Redis drops the count with its window. */
const spendScript = `
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then left = tonumber(ARGV[3]) end
local sum = (redis.call('GET', KEYS[1]) or 0) + ARGV[2]
if sum <= tonumber(ARGV[1]) then redis.call('SET', KEYS[1], sum, 'PX', left) end
return {sum, left}
`;

/** The sum, which is not stored if it exceeds the limit, and the rest of the window in ms. */
const spendReply = z.tuple([z.number(), z.number()]);

/**
 * Limits the requests and the mutation fields of each caller in windows of a minute. The first count starts a window.
 *
 * @param redis counts for all gateways; without `redis`, or while Redis is away, each gateway counts in its own memory
 */
export function createRateLimits(
  { rateLimitRequests, rateLimitMutationFields }: Config['limits'],
  toCaller: (request: FastifyRequest) => Caller,
  redis: Redis | undefined,
  onRefusal: ((what: string) => void) | undefined,
) {
  /** Returns the key under which a request is counted: its caller if known, otherwise the address of its client. */
  async function toKey(request: FastifyRequest): Promise<string> {
    try {
      return `caller:${await toCaller(request).callerId()}`;
    } catch {
      // Not reported here: an operation that needs the caller fails with the error.
      return `address:${request.ip}`;
    }
  }

  /** Returns a function that counts `cost` completely, or refuses it if the limit would be exceeded. */
  function createLimiter(limit: number, what: string) {
    if (limit === 0) return undefined;
    const counts = new LRUCache<string, number>(inMemory);
    const spendInMemory = (caller: string, cost: number): z.infer<typeof spendReply> => {
      const sum = (counts.get(caller) ?? 0) + cost;
      if (sum <= limit) counts.set(caller, sum);
      return [sum, counts.getRemainingTTL(caller) || WINDOW_MS];
    };
    return async (caller: string, cost: number) => {
      const key = `study-gateway:rate:${what}:${hash('sha256', caller, 'base64url')}`;
      const options = { keys: [key], arguments: [limit, cost, WINDOW_MS].map(String) };
      const reply = redis?.eval(spendScript, options).then((value) => spendReply.parse(value));
      // Without Redis the own count is better than no limit, and better than refusing the request.
      const [sum, leftMs] = (await reply?.catch(() => undefined)) ?? spendInMemory(caller, cost);
      if (sum <= limit) return;
      onRefusal?.(what);
      const retryAfterSeconds = Math.ceil(leftMs / 1_000);
      const message = `A caller may have ${limit} ${what.replace('-', ' ')} in a minute. Nothing was sent.`;
      throw new Refusal('RATE_LIMITED', message, { retryAfterSeconds, status: 429 });
    };
  }

  const spendRequest = createLimiter(rateLimitRequests, 'requests');
  const spendFields = createLimiter(rateLimitMutationFields, 'mutation-fields');

  /** Refuses operations of a caller over its limit with 429, `RATE_LIMITED`, before reading their bodies. */
  const addRequests: AppPart | undefined =
    spendRequest &&
    ((app) =>
      void app.addHook('onRequest', async (request) => {
        if (request.routeOptions.url === '/graphql') await spendRequest(await toKey(request), 1);
      }));

  /** Limits the root fields of mutations, each of which is a REST call. Refuses a mutation that exceeds the limit. */
  const listener: OperationListener | undefined = spendFields && {
    async didResolveOperation({ document, operation, contextValue }) {
      if (operation?.operation !== OperationTypeNode.MUTATION) return;
      const count = findRootFields(document, operation).length;
      // Only a caller who is known has come this far with a root field.
      if (count > 0) await spendFields(`caller:${await contextValue.caller.callerId()}`, count);
    },
  };

  return { addRequests, listener };
}
