// @module-tag redis

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createClient, idempotent, memoryStore, type KeyStore, type Send } from 'rest-outcome';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectRedis } from '../../src/redis/redis.connection.js';
import { createRedisStore } from '../../src/redis/redis.store.js';
import { sqliteStore } from '../../packages/rest-outcome/examples/sqlite.store.js';
import { useRedis } from '../support/keyed.js';
import { answerJson, startStudyApi } from '../support/study-api.js';

const redis = useRedis();
const logger = { info: () => {}, warn: () => {} } as never;

/** Storage as unstorage has it: without an atomic claim. */
interface Storage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
}

interface Held {
  readonly fingerprint: string;
  readonly owner: string;
  readonly callerId: string;
  readonly leaseUntil: number;
  readonly expiresAt: number;
  readonly record?: string;
}

/** A store over any storage, whose claims are atomic within one process: one access after the other. */
function storageStore(storage: Storage, ttlMs: number): KeyStore {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const find = async (id: string): Promise<Held | undefined> => {
    const held = JSON.parse((await storage.getItem(id)) ?? 'null') as Held | null;
    return held && held.expiresAt > Date.now() ? held : undefined;
  };
  return {
    claim: (id, fingerprint, callerId, leaseMs, over) =>
      inTurn(async () => {
        const now = Date.now();
        const found = await find(id);
        if (found && found.fingerprint !== fingerprint) return { state: 'reused' };
        const { record = '' } = found ?? {};
        const claimant = { callerId: found?.callerId };
        if (record !== '' && record !== over) return { state: 'settled', record, ...claimant };
        if (found && record === '' && found.leaseUntil >= now) return { state: 'running' };
        if (found && record === '' && over !== '') return { state: 'lost', ...claimant };
        const owner = randomUUID();
        const { expiresAt = now + ttlMs } = found ?? {};
        const held = { fingerprint, owner, callerId, leaseUntil: now + leaseMs, expiresAt };
        await storage.setItem(id, JSON.stringify(held));
        const settle = (change: () => Promise<void>): Promise<void> =>
          inTurn(async () => ((await find(id))?.owner === owner ? change() : undefined));
        return {
          state: 'claimed',
          keep: (record) => settle(() => storage.setItem(id, JSON.stringify({ ...held, record }))),
          free: () => settle(() => storage.removeItem(id)),
        };
      }),
  };
}

function createStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: async (key) => items.get(key) ?? null,
    setItem: async (key, value) => void items.set(key, value),
    removeItem: async (key) => void items.delete(key),
  };
}

async function redisStore(ttlMs: number): Promise<KeyStore> {
  const connection = await connectRedis(redis.server.url, logger);
  onTestFinished(() => connection.close());
  return createRedisStore(connection, { ttlMs, prefix: `${randomUUID()}:`, logger });
}

const DAY_MS = 86_400_000;
const LEASE_MS = 60_000;

type Create = (ttlMs: number) => KeyStore | Promise<KeyStore>;

/** Stores that outlive a process, and so need leases: the memory store knows the calls of its process. */
const shared: [string, Create][] = [
  ['Redis', redisStore],
  ['any storage', (ttlMs) => storageStore(createStorage(), ttlMs)],
  ['SQLite, as the example has it', (ttlMs) => sqliteStore(':memory:', ttlMs)],
];

it.each(shared)(
  'a store in %s says that a call is lost when its lease has ended, and can be claimed over it',
  async (_, create) => {
    const store = await create(DAY_MS);
    await store.claim('a', 'f', 'alice', 20);

    const find = async () => store.claim('a', 'f', 'bob', LEASE_MS);
    await expect.poll(find, { interval: 10 }).toEqual({ state: 'lost', callerId: 'alice' });
    const over = async () => (await store.claim('a', 'f', 'alice', LEASE_MS, '')).state;
    expect([await over(), await over()]).toEqual(['claimed', 'running']);
  },
);

describe.each<[string, Create]>([['memory', (ttlMs) => memoryStore({ ttlMs })], ...shared])(
  'a store in %s',
  (_, create) => {
    /** Claims the key `a` with a fingerprint. */
    const claim = (store: KeyStore, fingerprint = 'f', leaseMs = LEASE_MS) =>
      store.claim('a', fingerprint, 'alice', leaseMs);

    async function claimFirst(store: KeyStore) {
      const claimed = await claim(store);
      if (claimed.state !== 'claimed') throw new Error(claimed.state);
      return claimed;
    }

    it('gives a key to one of many calls at once', async () => {
      const store = await create(DAY_MS);

      const found = await Promise.all(Array.from({ length: 20 }, () => claim(store)));

      const states = found.map(({ state }) => state).toSorted();
      expect(states).toEqual(['claimed', ...Array.from({ length: 19 }, () => 'running')]);
    });

    it('keeps the record of a call, and tells another call apart', async () => {
      const store = await create(DAY_MS);
      const claimed = await claimFirst(store);

      await claimed.keep('{"a":"ä"}', 'short');

      expect(await claim(store)).toEqual({
        state: 'settled',
        record: '{"a":"ä"}',
        callerId: 'alice',
      });
      expect(await claim(store, 'g')).toEqual({ state: 'reused' });
      expect(await store.claim('b', 'f', 'alice', LEASE_MS)).toMatchObject({ state: 'claimed' });
    });

    it('is claimed over a record that was seen, by one call, and over no other record', async () => {
      const store = await create(DAY_MS);
      const over = (record: string, fingerprint = 'f') =>
        store.claim('a', fingerprint, 'alice', LEASE_MS, record);
      await (await claimFirst(store)).keep('"old"', 'short');

      expect(await over('"other"')).toEqual({
        state: 'settled',
        record: '"old"',
        callerId: 'alice',
      });
      expect(await over('')).toEqual({ state: 'settled', record: '"old"', callerId: 'alice' });
      expect(await over('"old"', 'g')).toEqual({ state: 'reused' });
      const [claimed, ...others] = await Promise.all([over('"old"'), over('"old"'), claim(store)]);
      expect(others).toEqual([{ state: 'running' }, { state: 'running' }]);
      if (claimed.state === 'claimed') await claimed.keep('"new"', 'short');
      expect(await claim(store)).toEqual({ state: 'settled', record: '"new"', callerId: 'alice' });
    });

    it('frees a key as if there had been no call', async () => {
      const store = await create(DAY_MS);
      const claimed = await claimFirst(store);

      await claimed.free();

      expect(await claim(store, 'g')).toMatchObject({ state: 'claimed' });
    });

    it('forgets a key at its end, and what its call does later does not touch the next claim', async () => {
      const store = await create(1_000);
      const late = await claimFirst(store);
      await expect.poll(async () => (await claim(store)).state, { interval: 10 }).toBe('claimed');

      await late.free();

      expect(await claim(store)).toEqual({ state: 'running' });
    });

    it('makes one payment of two with one key, and one for each caller', async () => {
      let count = 0;
      const { url, calls } = await startStudyApi((...call) =>
        answerJson({ id: `p${(count += 1)}` })(...call),
      );
      const scope = ({ callerId }: { callerId: string }): string => callerId;
      const store = await create(DAY_MS);
      const api = createClient<{ callerId: string }>({
        baseUrl: url,
        wrap: [idempotent(store, { scope })],
      });
      const pay = (callerId: string) =>
        api.begin({ callerId }).write('pay', {
          method: 'POST',
          path: '/payments',
          template: '/payments',
          key: 'order-1',
        });

      const paid = [await pay('alice'), await pay('alice'), await pay('bob')];
      await api.close();

      expect(paid).toEqual([{ id: 'p1' }, { id: 'p1' }, { id: 'p2' }]);
      const keys = calls.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(2);
      expect(keys).not.toContain('order-1');
    });
  },
);

it('closes the store of a client when the calls of the client have ended', async () => {
  const events: string[] = [];
  let closed: Promise<void> | undefined;
  const connections = Promise.withResolvers<void>();
  const onClosed = Object.assign((next: Send<object>) => next, {
    close: async () => connections.resolve(),
  });
  const { url } = await startStudyApi((...call) => {
    closed = api.close();
    answerJson({ id: 'p1' })(...call);
  });
  const memory = memoryStore();
  const store: KeyStore = {
    async claim(...given) {
      const found = await memory.claim(...given);
      if (found.state !== 'claimed') return found;
      const keep = async (): Promise<void> => {
        await connections.promise;
        await setImmediate();
        events.push('kept');
      };
      return { ...found, keep };
    },
    close: async () => void events.push('closed'),
  };
  const api = createClient({ baseUrl: url, wrap: [onClosed, idempotent(store)] });
  const call = { method: 'POST', path: '/payments', template: '/payments', key: 'order-1' };

  const paid = await api.begin({}).write('pay', call);
  await closed;

  expect(paid).toEqual({ id: 'p1' });
  expect(events).toEqual(['kept', 'closed']);
});
