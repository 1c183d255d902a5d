import { print } from 'graphql';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CreateStudyDocument, type WriteStorage } from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { cut, pass } from './hop.fixture.js';
import {
  createStorage,
  first,
  inTurn,
  lost,
  overloaded,
  refused,
  startBrowser,
} from './safe-writes.fixture.js';

it('has an entry in the storage before it sends, and neither headers nor token in it', async () => {
  const { open, url, storage } = await startBrowser();
  let stored: string[] = [];
  const sender: typeof fetch = async () => {
    stored = Object.values(storage) as string[];
    throw new DOMException('', 'AbortError');
  };
  const before = Date.now();

  await open({ fetch: sender }).create('Why?');

  const { body, since, sendingUntil, key, ...entry } = JSON.parse(String(stored));
  const operation = 'createStudy';
  expect(entry).toEqual({ url, owner: 'ada', operation, isDoubtful: false, next: 'sendAgain' });
  expect(JSON.parse(body)).toEqual({
    query: print(CreateStudyDocument),
    variables: { input: { description: 'Why?' }, idempotencyKey: key },
  });
  expect(since).toBeGreaterThanOrEqual(before);
  expect(sendingUntil).toBeGreaterThan(since);
  expect(stored[0]).not.toContain('Bearer');
});

function fail(name: string): never {
  throw new DOMException('', name);
}

const forbidden = { get: () => fail('SecurityError'), ownKeys: () => fail('SecurityError') };

it.for([
  { what: 'a full storage', storage: { setItem: () => fail('QuotaExceededError') } },
  { what: 'a forbidden storage', storage: new Proxy({}, forbidden) },
  { what: 'no storage', storage: null },
  { what: 'no owner', storage: createStorage(), owner: () => undefined },
])('keeps an unsettled write in memory with $what', async ({ storage, ...row }) => {
  const { open, written } = await startBrowser(inTurn(...lost));
  const tab = open({ storage: storage as WriteStorage | null, ...('owner' in row && row) });

  expect(await tab.create('Why?')).toBe('unknown');

  expect(tab.list()).toMatchObject([{ input: { description: 'Why?' }, stored: false }]);
  expect(await first(tab.unsettledWrites).sendAgain?.()).toBeUndefined();
  expect(tab.list()).toEqual([]);
  expect(written()).toEqual(['Why?']);
});

it('shows a write without an answer to the next page, which sends it with its key', async () => {
  const { open, keys, requests, written } = await startBrowser(inTurn(...lost));

  expect(await open().create('Why?')).toBe('unknown');
  expect(requests()).toBe(4);
  const next = open();
  expect(next.list()).toEqual([
    {
      key: keys[0],
      operation: 'createStudy',
      studyId: undefined,
      input: { description: 'Why?' },
      since: expect.any(Number),
      stored: true,
      next: 'sendAgain',
      isExpired: false,
      sendAgain: expect.any(Function),
      sendAsNew: expect.any(Function),
      forget: expect.any(Function),
    },
  ]);
  expect(next.list()).toBe(next.list());
  expect(await first(next.unsettledWrites).sendAgain?.()).toBeUndefined();

  expect(new Set(keys).size).toBe(1);
  expect(written()).toEqual(['Why?']);
  expect(next.list()).toEqual([]);
});

it('keeps the entry after UNKNOWN, which a look and a new key lead out of', async () => {
  const failures = [answerJson({}, 500)];
  const { open, keys, calls } = await startBrowser(pass, (...call) =>
    (failures.shift() ?? answerJson(wholeStudy))(...call),
  );
  const tab = open();

  expect(await tab.create('Why?')).toBe('unknown');
  expect(tab.list()).toMatchObject([{ next: 'look' }]);
  await first(tab.unsettledWrites).sendAgain?.();
  expect(calls).toHaveLength(1);
  expect(tab.list()).toMatchObject([{ next: 'look', key: keys[0] }]);
  await first(tab.unsettledWrites).sendAsNew?.();

  expect(calls[1]?.body).toBe(calls[0]?.body);
  expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
  expect(tab.list()).toEqual([]);
});

it('keeps the input of a write that is sent as new until it is sent', async () => {
  const { open, written } = await startBrowser(inTurn(...lost, overloaded));
  await open().create('The lost one');
  const next = open();

  await first(next.unsettledWrites).sendAsNew?.();
  expect(next.descriptions()).toEqual(['The lost one']);
  await first(next.unsettledWrites).sendAgain?.();

  expect(written()).toEqual(['The lost one', 'The lost one']);
  expect(next.list()).toEqual([]);
});

it('forgets a write, and makes a new one of the next', async () => {
  const { open, keys } = await startBrowser(inTurn(...lost));
  const tab = open();
  await tab.create('Why?');

  first(tab.unsettledWrites).forget();

  expect(tab.list()).toEqual([]);
  await tab.create('Why?');
  expect(keys[4]).not.toBe(keys[0]);
});

it('lets only one of two tabs send a write as a new one', async () => {
  const { open, keys, written } = await startBrowser(inTurn(...lost));
  const [one, two] = [open(), open()];
  await one.create('Why?');

  const writes = [first(one.unsettledWrites), first(two.unsettledWrites)];
  const problems = await Promise.all(writes.map(async ({ sendAsNew }) => sendAsNew?.()));

  expect(problems).toEqual([undefined, expect.objectContaining({ code: 'ABORTED' })]);
  expect(keys).toHaveLength(5);
  expect(written()).toEqual(['Why?', 'Why?']);
});

it('sends nothing as new while another tab sends it again', async () => {
  let answerNow: (() => void) | undefined;
  const { open, written } = await startBrowser(
    inTurn(...lost, (response, text) => {
      answerNow = () => pass(response, text);
    }),
  );
  const [one, two] = [open(), open()];
  await one.create('Why?');
  const [again, asNew] = [first(one.unsettledWrites), first(two.unsettledWrites)];
  const sent = again.sendAgain?.();
  await expect.poll(() => answerNow).toBeDefined();

  expect(await asNew.sendAsNew?.()).toMatchObject({ code: 'ABORTED' });

  answerNow?.();
  expect(await sent).toBeUndefined();
  expect(written()).toEqual(['Why?']);
});

it('shows another user nothing, and never sends with the token of another user', async () => {
  const { open, keys, requests } = await startBrowser(inTurn(...lost, cut));
  let user = 'ada';
  const owner = () => user;
  const tab = open({ owner });
  await tab.create('Why?');

  user = 'ben';
  expect(tab.list()).toEqual([]);
  expect(await tab.create('Why?')).toBe('ok');
  expect(keys.at(-1)).not.toBe(keys[0]);
  user = 'ada';
  expect(tab.descriptions()).toEqual(['Why?']);

  const before = requests();
  const headers = async () => {
    user = 'ben';
    return {};
  };
  const other = open({ owner, headers });
  expect(await other.create('When?')).toBe('notSent');
  expect(requests()).toBe(before);
});

it('keeps the entry of a lost write when the user changes before the next attempt', async () => {
  const { open, keys, written } = await startBrowser(inTurn(cut));
  const users = ['ada'];
  const owner = () => users.at(-1);
  let attempts = 0;
  const headers = () => {
    attempts += 1;
    if (attempts === 2) users.push('ben');
    return {};
  };
  expect(await open({ owner, headers }).create('Why?')).toBe('unknown');

  users.push('ada');
  expect(await open({ owner }).create('Why?')).toBe('ok');

  expect(new Set(keys).size).toBe(1);
  expect(written()).toHaveLength(1);
});

it('lists and shares nothing of another gateway', async () => {
  const { open, storage } = await startBrowser(cut);
  await open().create('Why?');
  const other = await startBrowser();

  const tab = other.open({ storage });
  expect(tab.list()).toEqual([]);
  expect(await tab.create('Why?')).toBe('ok');
});

it('writes x, y and x, though the first answers are lost', async () => {
  const { open, keys, written, storage } = await startBrowser(inTurn(...lost, ...lost));
  const [one, two] = [open(), open()];

  expect(await one.edit('x')).toBe('unknown');
  const stale = first(one.unsettledWrites);
  expect(await two.edit('y')).toBe('unknown');
  expect(one.descriptions()).toEqual(['y']);
  expect(await stale.sendAgain?.()).toMatchObject({ code: 'ABORTED' });
  expect(await one.edit('x')).toBe('ok');

  expect(written()).toEqual(['x', 'y', 'x']);
  expect(new Set(keys).size).toBe(3);
  expect(two.list()).toEqual([]);
  expect(Object.keys(storage)).toEqual([]);
});

it('does not repeat a lost edit after a newer one of another tab', async () => {
  const { promise: isWritten, resolve } = Promise.withResolvers<() => void>();
  const { open, written } = await startBrowser(
    inTurn((response) => resolve(() => cut(response, ''))),
  );
  const [one, two] = [open(), open()];

  const older = one.edit('x');
  const lose = await isWritten;
  expect(await two.edit('y')).toBe('ok');
  lose();

  expect(await older).toBe('unknown');
  expect(written()).toEqual(['x', 'y']);
  expect(one.list()).toEqual([]);
});

it('offers an older edit again when the newer one is refused', async () => {
  const { open, written } = await startBrowser(inTurn(...lost, refused));
  const tab = open();
  await tab.edit('x');

  expect(await tab.edit('y')).toBe('rejected');
  expect(tab.descriptions()).toEqual(['x']);
  await tab.edit('z');

  expect(tab.list()).toEqual([]);
  expect(written()).toEqual(['x', 'y', 'z']);
});

it('leaves unsettled writes of other studies alone, and replaces by an edit with its own key', async () => {
  const { open } = await startBrowser(inTurn(...lost, ...lost));
  const tab = open();
  await tab.create('new');
  await tab.edit('x');
  expect(tab.descriptions()).toEqual(['new', 'x']);
  const key = crypto.randomUUID();

  await tab.post({
    query: `mutation($id: UUID!) { editStudy(id: $id, input: {}, idempotencyKey: "${key}") { id } }`,
    variables: { id: wholeStudy.id.toUpperCase() },
  });

  expect(tab.descriptions()).toEqual(['new']);
});

it('shows a write at once whose page closes before the answer', async () => {
  const { open, requests, window } = await startBrowser((response) => void response);
  void open().create('Why?');
  await expect.poll(requests).toBe(1);

  window.dispatchEvent(new Event('pagehide'));

  expect(open().descriptions()).toEqual(['Why?']);
});

it('keeps an input for 24 hours at most, and says so', async () => {
  const { open, storage, keys } = await startBrowser(inTurn(...lost));
  await open().create('Why?');
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const tab = open();
  const changes = vi.fn<() => void>();
  onTestFinished(tab.unsettledWrites.subscribe(changes));
  const day = 24 * 60 * 60 * 1000 + 1;

  vi.advanceTimersByTime(day);

  expect(JSON.stringify(storage)).not.toContain('Why?');
  expect(changes).toHaveBeenCalled();
  vi.useRealTimers();
  vi.setSystemTime(Date.now() + day);
  const none = { input: undefined, sendAgain: undefined, sendAsNew: undefined };
  expect(tab.list()).toEqual([expect.objectContaining({ isExpired: true, ...none })]);
  await tab.create('Why?');
  expect(keys.at(-1)).not.toBe(keys[0]);
  first(tab.unsettledWrites).forget();
  expect(Object.keys(storage)).toEqual([]);
});
