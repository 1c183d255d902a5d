// @module-tag redis

import { randomUUID } from 'node:crypto';
import { createClient as createRedisClient, createSentinel } from '@redis/client';
import { createClient, idempotent, memoryStore, type KeyStore } from 'rest-outcome';
import { redisStore } from 'rest-outcome/redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sqliteStore } from '../../packages/rest-outcome/examples/sqlite.store.js';
import { useRedis } from '../support/keyed.js';
import { startSentinel } from '../support/redis.js';
import { answerJson, startStudyApi } from '../support/study-api.js';

const redis = useRedis();

type Create = (ttl?: number) => KeyStore | Promise<KeyStore>;

const createRedisStore: Create = async (ttl) => {
  const client = await createRedisClient({ url: redis.server.url.href }).connect();
  onTestFinished(() => client.destroy());
  return redisStore(client, { prefix: `${randomUUID()}:`, ttl });
};

const stores: [string, Create][] = [
  ['memory', (ttlMs) => memoryStore({ ttlMs })],
  ['Redis', createRedisStore],
  ['SQLite, as the example has it', (ttl) => sqliteStore(':memory:', ttl)],
];

const LEASE_MS = 60_000;
const alice = {
  owner: 'a1',
  by: 'alice',
  fingerprint: 'f',
  leaseMs: LEASE_MS,
  onlyFreed: false,
};
const bob = { ...alice, owner: 'b1', by: 'bob' };
const waiting = { ...bob, onlyFreed: true };

/** Returns the record of a claim without the members that only the store needs. */
const toRecord = (
  { owner, by, fingerprint }: typeof alice,
  state: string,
  id?: string,
): object => ({ owner, by, fingerprint, state, id });

/** Claims the key `k`. */
async function claim(store: KeyStore, by: typeof alice): Promise<object | undefined> {
  const found = await store.claim('k', by);
  if (!found) return undefined;
  const { owner, by: caller, fingerprint, state, id } = found;
  return { owner, by: caller, fingerprint, state, id };
}

describe.each(stores)('a store in %s', (_, create) => {
  it('gives a key to one of many calls at once', async () => {
    const store = await create();
    const owners = Array.from({ length: 20 }, (_, index) => `o${index}`);

    const found = await Promise.all(owners.map((owner) => store.claim('k', { ...alice, owner })));

    const [winner] = new Set(found.map((record) => record?.owner));
    expect(owners).toContain(winner);
    expect(found.map((record) => record?.owner)).toEqual(owners.map(() => winner));
    expect(await store.claim('other', alice)).toMatchObject({ owner: 'a1', state: 'running' });
  });

  it.each([
    ['applied', 'id-1'],
    ['applied', undefined],
    ['unknown', undefined],
  ] as const)('keeps that a call is %s, with the id %s', async (state, id) => {
    const store = await create();
    expect(await claim(store, alice)).toEqual(toRecord(alice, 'running'));

    await store.keep('k', alice.owner, state, id);

    const kept = toRecord(alice, state, id);
    const others = [bob, waiting, { ...bob, fingerprint: 'g' }];
    for (const other of others) expect(await claim(store, other)).toEqual(kept);
  });

  it('gives a freed key to one call with the same fingerprint, also to one that has waited', async () => {
    const store = await create();
    await claim(store, alice);
    await store.free('k', alice.owner, LEASE_MS);

    const other = { ...bob, fingerprint: 'g' };
    expect(await claim(store, other)).toEqual(toRecord(alice, 'freed'));
    const [first, ...others] = await Promise.all([
      claim(store, waiting),
      claim(store, { ...bob, owner: 'b2' }),
    ]);
    expect([first, ...others]).toEqual([toRecord(waiting, 'running'), first]);
  });

  it('holds a freed key for one lease, and then no more', async () => {
    const store = await create();
    await claim(store, alice);

    await store.free('k', alice.owner, 50);

    const other = { ...bob, fingerprint: 'g' };
    await expect
      .poll(() => claim(store, other), { interval: 10 })
      .toEqual(toRecord(other, 'running'));
  });

  it('gives a key without a record to no call that has waited', async () => {
    const store = await create();

    expect(await claim(store, waiting)).toBeUndefined();
    expect(await claim(store, alice)).toEqual(toRecord(alice, 'running'));
  });

  it('says that a call is unknown when its lease has ended, and records its end whenever it comes', async () => {
    const store = await create();
    await claim(store, { ...alice, leaseMs: 30 });

    await expect
      .poll(() => claim(store, bob), { interval: 10 })
      .toEqual(toRecord(alice, 'unknown'));
    await store.keep('k', alice.owner, 'applied', 'id-1');
    expect(await claim(store, bob)).toEqual(toRecord(alice, 'applied', 'id-1'));
  });

  it('lets an owner change no record but its own', async () => {
    const store = await create();
    await claim(store, alice);
    await store.free('k', alice.owner, LEASE_MS);
    await claim(store, bob);

    // As after a reply that was lost.
    await store.free('k', alice.owner, LEASE_MS);
    await store.keep('k', alice.owner, 'unknown');
    expect(await claim(store, alice)).toEqual(toRecord(bob, 'running'));
    await store.keep('none', alice.owner, 'applied', 'id-1');
    expect(await store.claim('none', waiting)).toBeUndefined();
  });

  it('forgets a key at the end of its lifetime', async () => {
    const store = await create(500);
    await claim(store, alice);
    await store.keep('k', alice.owner, 'applied', 'id-1');

    const other = { ...bob, fingerprint: 'g' };
    expect(await claim(store, other)).toEqual(toRecord(alice, 'applied', 'id-1'));
    await expect
      .poll(() => claim(store, other), { interval: 20 })
      .toEqual(toRecord(other, 'running'));
  });
});

it('a store in Redis takes the client of a Sentinel', async () => {
  const replica = redis.server;
  const { hostname, port } = replica.url;
  const sentinel = await startSentinel('keys', replica.url);
  onTestFinished(sentinel.remove);
  const client = await createSentinel({
    name: 'keys',
    sentinelRootNodes: [{ host: '127.0.0.1', port: sentinel.port }],
  }).connect();
  onTestFinished(() => client.destroy());
  const store = redisStore(client, { prefix: `${hostname}:${port}:${randomUUID()}:` });

  expect(await claim(store, alice)).toEqual(toRecord(alice, 'running'));
  await store.keep('k', alice.owner, 'applied', 'id-1');
  expect(await claim(store, bob)).toEqual(toRecord(alice, 'applied', 'id-1'));
});

it('a store that fails after a call does not change its result', async () => {
  const { url, calls } = await startStudyApi(answerJson({ id: 'p1' }));
  const fail = (): Promise<never> => Promise.reject(new Error('the disk is full'));
  const api = createClient({
    baseUrl: url,
    keys: idempotent({ ...memoryStore(), keep: fail, free: fail }),
  });
  onTestFinished(() => api.close());
  const call = { method: 'POST', path: '/payments', template: '/payments', key: 'order-1' };

  expect(await api.openLedger({}).beginStep('pay', true).write(call)).toEqual({ id: 'p1' });
  expect(calls).toHaveLength(1);
});

it('a full store in memory refuses keys without a look at all records for each', async () => {
  const store = memoryStore();
  const claim = (key: string) => store.claim(key, alice);
  for (let key = 0; key < 100_000; key += 1) await claim(`held ${key}`);
  const before = process.cpuUsage();

  for (let key = 0; key < 500; key += 1) await expect(claim(`new ${key}`)).rejects.toThrow('held');

  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(900);
});
