import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { untilKeyed } from './matrix.js';
import { count, createSingle, expectTrue, toWord } from './single.js';
import type { Process, World } from './world.fixture.js';

const fields = ['createStudy', 'editStudy'] as const;
const refused = { carries: false, status: 422, body: 'refusal' } as const;

/** Tests that a lost reply of Redis changes nothing but the time that a call takes. */
export function testReplies(world: World): void {
  it('when keys are freed: no other record is deleted', async () => {
    const [here, there] = world.processes as [Process, Process];
    await untilKeyed(world.processes);
    const plan = [{ ...refused, holds: 'before' }, { delay: 1_000 }] as const;
    const singles = fields.map((field) => createSingle(world, field, ...plan));
    const firsts = singles.map((single) => single.ask(here));
    await Promise.all(singles.map((single) => single.ledger({ arrived: 1 })));
    here.redis.set('hold-replies');
    for (const single of singles) single.release();
    await here.redis.stopped();
    // The keys are free by now, or soon, and `here` does not know it.
    const seconds = singles.map((single) => single.ask(there));
    await Promise.all(singles.map((single) => single.ledger({ arrived: 2, carried: 1 })));
    here.redis.set('cut-replies');
    await here.redis.shut();
    await here.redis.reopen();
    here.redis.set('open');
    // A repeat that reaches `here` before the end of the first call would share its REJECTED.
    expect((await Promise.all(firsts)).map(toWord)).toEqual(['REJECTED', 'REJECTED']);

    // As long as `here` may try again to free the keys, which are those of `there` now.
    const answers = [];
    for (const until = performance.now() + 2_500; performance.now() < until; await sleep(100))
      for (const single of singles) answers.push(await single.ask(here));
    answers.push(...(await Promise.all(seconds)));
    // `here` may still be without Redis for the first ones.
    const others = answers.map(toWord).filter((word) => word !== 'NOT_SENT');
    expect(others.length).toBeGreaterThan(4);
    expect(new Set(others)).toEqual(new Set(['study with id']));
    for (const single of singles)
      expect(count(await single.ledger())).toMatch(/^2 arrived, 1 carried out/);
  });

  it.for(fields)('when a key is claimed: %s is NOT_SENT, and its repeat is sent', async (field) => {
    const [here, there] = world.processes as [Process, Process];
    await untilKeyed(world.processes);
    const single = createSingle(world, field);
    here.redis.set('hold-replies');
    const first = await single.askOnce(here);
    expect(toWord(first)).toBe('NOT_SENT');
    const waits = single.ask(there);
    here.redis.set('swallow');
    here.redis.set('open');

    const answers = [await waits, await single.ask(here), await single.ask(there)];
    expect(answers.map(toWord)).toEqual(Array(3).fill('study with id'));
    expect(count(await single.ledger())).toMatch(/^1 arrived, 1 carried out/);
    await expectTrue(single, [...answers, first]);
  });

  it.for(fields)('when the end of %s is kept: its repeat reads the study', async (field) => {
    const [here, there] = world.processes as [Process, Process];
    await untilKeyed(world.processes);
    const single = createSingle(world, field, { holds: 'after' });
    const first = single.ask(here);
    await single.ledger({ carried: 1 });
    here.redis.set('hold-replies');
    single.release();
    expect(toWord(await first)).toBe('study with id');
    here.redis.set('swallow');
    here.redis.set('open');
    await untilKeyed(world.processes);

    const answers = [await single.ask(there), await single.ask(here)];
    expect(answers.map(toWord)).toEqual(Array(2).fill('study with id'));
    expect(count(await single.ledger())).toBe('1 arrived, 1 carried out, 2 read');
  });
}
