import { expect, it } from 'vitest';
import { untilKeyed } from './matrix.js';
import { count, createSingle, expectTrue, toWord } from './single.js';
import type { Process, World } from './world.fixture.js';

const fields = ['createStudy', 'editStudy'] as const;
const refused = { carries: false, status: 422, body: 'refusal' } as const;

/** Tests that a lost reply of Redis changes nothing but the time that a call takes. */
export function testReplies(world: World): void {
  it.for(fields)('when a key is freed: no other record of %s is deleted', async (field) => {
    const [here, there] = world.processes as [Process, Process];
    await untilKeyed(world.processes);
    const single = await createSingle(
      world,
      field,
      { ...refused, holds: 'before' },
      { holds: 'after' },
    );
    const first = single.ask(here);
    await single.ledger({ arrived: 1 });
    here.redis.set('hold-replies');
    await single.release();
    await here.redis.stopped();
    // The key is free by now, and `here` does not know it.
    const second = single.ask(there);
    await single.ledger({ arrived: 2, carried: 1 });
    here.redis.set('cut-replies');
    await here.redis.shut();
    await here.redis.reopen();
    here.redis.set('open');
    expect(toWord(await first)).toBe('REJECTED');
    await untilKeyed(world.processes);

    const answers = [await single.ask(here), await single.ask(there), await second];
    expect(answers.map(toWord)).toEqual(Array(3).fill('study with id'));
    expect((await single.ledger()).writes).toHaveLength(2);
    await expectTrue(single, [...answers, await first]);
  });

  it.for(fields)('when a key is claimed: %s is NOT_SENT, and its repeat is sent', async (field) => {
    const [here, there] = world.processes as [Process, Process];
    await untilKeyed(world.processes);
    const single = await createSingle(world, field);
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
    const single = await createSingle(world, field, { holds: 'after' });
    const first = single.ask(here);
    await single.ledger({ carried: 1 });
    here.redis.set('hold-replies');
    await single.release();
    expect(toWord(await first)).toBe('study with id');
    here.redis.set('swallow');
    here.redis.set('open');
    await untilKeyed(world.processes);

    const answers = [await single.ask(there), await single.ask(here)];
    expect(answers.map(toWord)).toEqual(Array(2).fill('study with id'));
    expect(count(await single.ledger())).toBe('1 arrived, 1 carried out, 2 read');
  });
}
