import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';
import { KEY_TTL_MS, keyStates, type KeyRecord, type KeyStore } from './key-store.js';

/** A client of `@redis/client`, of one server or of a Sentinel's primary: the command that runs a Lua script. */
export interface RedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

export interface RedisStoreOptions {
  /** First part of the names of the keys in Redis: `my-service:keys:`. */
  readonly prefix: string;
  /** Lifetime of a key, from its claim, in ms. Default: 48 hours. */
  readonly ttl?: number | undefined;
  /** Called when a call has ended, and Redis has not recorded how. The store tries again until Redis does. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Timeout of a reply. A reply usually takes 1 ms. */
const REPLY_TIMEOUT_MS = 500;
const RETRY_INTERVAL_MS = 500;
/** Maximum number of ends that wait for Redis. The key of an end that is dropped is `unknown` after its lease. */
const MAX_OVERDUE = 1_000;

/** Errors that prove that Redis has not run a script. */
const refusals = [ErrorReply, ClientOfflineError, ClientClosedError];

/** All times are by the clock of Redis. Returns the five members of a record, or nothing. */
const claimScript = `
local owner, by, fingerprint, leaseMs, ttlMs, onlyFreed = unpack(ARGV)
local held = redis.call('HMGET', KEYS[1], 'owner', 'by', 'fingerprint', 'state', 'id', 'leaseUntil')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if held[1] and (held[4] ~= 'freed' or held[3] ~= fingerprint) then
  if held[4] == 'running' and now > tonumber(held[6]) then held[4] = 'unknown' end
  return {held[1], held[2], held[3], held[4], held[5] or ''}
end
if not held[1] and onlyFreed == 'true' then return {} end
redis.call('HSET', KEYS[1], 'owner', owner, 'by', by, 'fingerprint', fingerprint, 'state', 'running', 'leaseUntil', now + leaseMs)
redis.call('PEXPIRE', KEYS[1], ttlMs)
return {owner, by, fingerprint, 'running', ''}
`;

/** Records how the call of an owner has ended. `leaseMs` shortens the lifetime of the record. */
const endScript = `
local owner, state, id, leaseMs = unpack(ARGV)
if redis.call('HGET', KEYS[1], 'owner') ~= owner then return 0 end
redis.call('HSET', KEYS[1], 'state', state)
if id ~= '' then redis.call('HSET', KEYS[1], 'id', id) end
if leaseMs ~= '' then redis.call('PEXPIRE', KEYS[1], leaseMs) end
return 1
`;

/**
 * Creates a store in Redis 6.2 or later. All processes with the same Redis share the keys, which outlive each process. Closes
 * no client.
 */
export function redisStore(
  client: RedisScripts,
  { prefix, ttl = KEY_TTL_MS, onError }: RedisStoreOptions,
): KeyStore {
  /** Record ends of calls that Redis has not recorded yet. */
  const overdue = new Set<() => Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;

  async function recordOverdue(): Promise<void> {
    for (const record of overdue) {
      await record();
      overdue.delete(record);
    }
  }

  /** Tries again until Redis has recorded every end. */
  function retryLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void recordOverdue().catch(retryLater);
    }, RETRY_INTERVAL_MS).unref();
  }

  async function end(key: string, owner: string, ...args: string[]): Promise<void> {
    const record = () => runScript(client, endScript, prefix + key, [owner, ...args]);
    try {
      await record();
    } catch (error) {
      onError?.(error);
      if (overdue.size < MAX_OVERDUE) overdue.add(record);
      retryLater();
    }
  }

  return {
    async claim(key, { owner, by, fingerprint, leaseMs, onlyFreed }) {
      const args = [owner, by, fingerprint, leaseMs, ttl, onlyFreed].map(String);
      try {
        return toRecord(await runScript(client, claimScript, prefix + key, args));
      } catch (error) {
        if (!refusals.some((one) => error instanceof one))
          void end(key, owner, 'freed', '', String(leaseMs));
        throw error;
      }
    },
    keep: (key, owner, state, id = '') => end(key, owner, state, id, ''),
    free: (key, owner, leaseMs) => end(key, owner, 'freed', '', String(leaseMs)),
    async close() {
      clearTimeout(timer);
      await recordOverdue().catch(() => {});
    },
  };
}

/**
 * Runs a Lua script on one key, atomically.
 *
 * @throws Error when Redis refuses the script, is not connected, or does not reply within 0.5 s
 */
async function runScript(
  client: RedisScripts,
  script: string,
  key: string,
  args: string[],
): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`redis did not reply within ${REPLY_TIMEOUT_MS} ms`));
  }, REPLY_TIMEOUT_MS);
  try {
    const reply = client.eval(script, { keys: [key], arguments: args });
    return await Promise.race([reply, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function toRecord(reply: unknown): KeyRecord | undefined {
  if (!Array.isArray(reply)) throw new Error('redis gave an unknown reply');
  const [owner, by = '', fingerprint = '', name, id] = reply.map(String);
  if (owner === undefined) return undefined;
  const state = keyStates.find((one) => one === name) ?? 'unknown';
  return { owner, by, fingerprint, state, id: id || undefined };
}
