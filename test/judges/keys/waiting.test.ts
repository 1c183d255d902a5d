import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testKills } from './kills.js';
import { write } from './matrix.js';
import { testReplies } from './replies.js';
import { count, createSingle, expectTrue, toWord } from './single.js';
import { tokens } from './trial.js';
import { useWorld, type Process, type World } from './world.fixture.js';

const fields = ['createStudy', 'editStudy'] as const;
const held = { holds: 'after' } as const;
const refused = { carries: false, status: 422, body: 'refusal' } as const;
const lost = { cuts: 'request' } as const;
const once = '1 arrived, 1 carried out';

describe('several processes', { tags: ['redis'] }, () => {
  const world = useWorld();

  describe('a call under way', () => {
    testWaiting(world);
  });
  describe('a reply of Redis is lost', () => {
    testReplies(world);
  });
  describe('a process is killed', () => {
    testKills(world);
  });
});

function testWaiting(world: World): void {
  const here = (): Process => world.processes[0]!;
  const there = (): Process => world.processes[1]!;
  /** Waits until a process has looked at all requests that were sent before. */
  const untilSeen = async ({ url }: Process): Promise<void> => {
    await write(url);
    await write(url);
  };
  /** Makes a call in a process, and waits until the process has asked Redis for its key. */
  const waitIn = async <T>(
    process: Process,
    act: () => Promise<T>,
  ): Promise<{ answer: Promise<T> }> => {
    process.redis.set('open');
    const answer = act();
    await process.redis.heard();
    await untilSeen(process);
    return { answer };
  };

  describe.for(fields)('%s', (field) => {
    it.for([
      { ending: {}, word: 'study with id' },
      { ending: refused, word: 'REJECTED' },
      { ending: lost, word: 'UNKNOWN' },
    ])('is shared by the same process: $word', async ({ ending, word }) => {
      const single = createSingle(world, field, { ...ending, ...held });
      const calls = Array.from({ length: 5 }, () => single.ask(here()));
      await single.ledger({ arrived: 1 });
      await untilSeen(here());
      single.release();
      const answers = await Promise.all(calls);

      expect(answers.map(toWord)).toEqual(Array(5).fill(word));
      expect((await single.ledger()).writes).toHaveLength(1);
      expect((await single.ledger()).reads).toHaveLength(0);
    });

    it.for([
      { ending: {}, token: tokens.renewed, told: `study with id, ${once}, 1 read` },
      {
        ending: refused,
        token: tokens.same,
        told: 'study with id, 2 arrived, 1 carried out, 0 read',
      },
      { ending: lost, token: tokens.renewed, told: `UNKNOWN, ${once}, 0 read` },
      { ending: {}, token: tokens.strange, told: `UNKNOWN, ${once}, 1 read` },
    ])('is awaited elsewhere by $token: $told', async ({ ending, token, told }) => {
      const single = createSingle(world, field, { ...ending, ...held });
      const first = single.ask(here());
      await single.ledger({ arrived: 1 });
      const { answer } = await waitIn(there(), () => single.ask(there(), token));
      expect((await single.ledger()).writes).toHaveLength(1);
      single.release();

      const word = toWord(await answer);
      expect(`${word}, ${count(await single.ledger())}`).toBe(told);
      await expectTrue(single, [await first, await answer]);
    });

    it.for([
      { token: tokens.renewed, word: 'study with id' },
      { token: tokens.strange, word: 'UNKNOWN' },
    ])('is awaited in the same process by $token: $word', async ({ token, word }) => {
      const single = createSingle(world, field, held);
      const first = single.ask(here());
      await single.ledger({ arrived: 1 });
      const { answer } = await waitIn(here(), () => single.ask(here(), token));
      single.release();

      expect(toWord(await answer)).toBe(word);
      expect(toWord(await first)).toBe('study with id');
      expect(count(await single.ledger())).toBe('1 arrived, 1 carried out, 1 read');
      await expectTrue(single, [await first, await answer]);
    });

    it('is followed by one of a crowd when its key is freed', async () => {
      const single = createSingle(world, field, { ...refused, ...held });
      const first = single.ask(here());
      await single.ledger({ arrived: 1 });
      const callers = [here(), there()].flatMap((process) =>
        [tokens.same, tokens.renewed].flatMap((token) => [
          { process, token },
          { process, token },
        ]),
      );
      const answers = callers.map(({ process, token }) => single.ask(process, token));
      await untilSeen(there());
      await untilSeen(here());
      single.release();
      const all = await Promise.all(answers);

      expect(toWord(await first)).toBe('REJECTED');
      const others = all.filter(({ word }) => word !== 'REJECTED');
      // Two share the first call.
      expect(others).toHaveLength(6);
      expect(others.map(toWord)).toEqual(Array(6).fill('study with id'));
      const { writes } = await single.ledger();
      expect(writes).toHaveLength(2);
      await expectTrue(single, all);
    });

    it('is UNKNOWN to whoever waits when the store loses the key', async () => {
      const single = createSingle(world, field, { ...refused, ...held });
      const first = single.ask(here());
      await single.ledger({ arrived: 1 });
      const { answer } = await waitIn(there(), () => single.ask(there()));
      await world.redis.command('FLUSHALL');

      expect(toWord(await answer)).toBe('UNKNOWN');
      single.release();
      expect(toWord(await first)).toBe('REJECTED');
      expect(count(await single.ledger())).toBe('1 arrived, 0 carried out, 0 read');
    });
  });

  it('is UNKNOWN to whoever waits until its own deadline', async () => {
    const field = 'createStudy';
    const brief = await world.start({ STUDY_API_TIMEOUT_MS: '500' });
    const single = createSingle(world, field, held);
    const first = single.ask(here());
    await single.ledger({ arrived: 1 });
    const late = await single.ask(brief);
    single.release();

    expect(toWord(late)).toBe('UNKNOWN');
    expect(toWord(await first)).toBe('study with id');
    expect(toWord(await single.ask(brief))).toBe('study with id');
    expect(count(await single.ledger())).toBe('1 arrived, 1 carried out, 1 read');
  });

  it.for([
    { name: 'under way', ending: held },
    { name: 'applied', ending: {} },
    { name: 'unknown', ending: lost },
  ])('refuses its key to another call: $name', async ({ ending }) => {
    for (const field of fields) {
      const single = createSingle(world, field, ending);
      const first = single.ask(here());
      first.catch(() => {});
      await single.ledger({ carried: 1 });
      if (!('holds' in ending)) await first;
      const id = world.api.create(tokens.same);
      const mark = `mark ${randomUUID()}`;
      // The two mutations share their keys.
      const others =
        field === 'createStudy'
          ? [{ mark }, { field: 'editStudy', id } as const]
          : [{ mark }, { id }, { field: 'createStudy' } as const];
      for (const process of [here(), there()])
        for (const token of Object.values(tokens))
          for (const other of others) {
            const answer = await single.ask(process, token, other);
            expect({ other, word: toWord(answer) }).toEqual({
              other,
              word: 'NOT_SENT, key reused',
            });
            expect(answer.extensions).toMatchObject({ code: 'BAD_USER_INPUT', retryable: false });
          }
      single.release();
      await first;
      expect((await single.ledger()).writes).toHaveLength(1);
      expect((await world.api.ledger(mark)).writes).toEqual([]);
    }
  });
}
