import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { allDaily } from '../../support/daily.js';
import { createSingle, toWord } from './single.js';
import type { Ending } from './study-api.js';
import { DEADLINE_MS, type Process, type World } from './world.fixture.js';

/** Every way in which the read of a repeat may fail. */
const failedReads: Readonly<Record<string, Ending>> = {
  '401': { status: 401, body: 'refusal' },
  '403': { status: 403, body: 'refusal' },
  '404': { status: 404, body: 'refusal' },
  '422': { status: 422, body: 'refusal' },
  '429': { status: 429, body: 'refusal' },
  '500': { status: 500, body: 'none' },
  '204': { status: 204, body: 'none' },
  '302': { status: 302, body: 'none' },
  'another study': { status: 200, body: 'other' },
  'no study': { status: 200, body: 'success' },
  'broken JSON': { status: 200, body: 'broken' },
  'a cut': { cuts: 'request' },
  'a cut answer': { status: 200, cuts: 'answer' },
  'no answer in time': { status: 200, delay: 60_000 },
};
const expected = ['study with id', 'APPLIED with id', 'APPLIED with id', 'UNKNOWN', 'UNKNOWN'];
const fields = allDaily(['createStudy', 'editStudy'] as const, ['createStudy'] as const);

/** Tests that a repeat is told of its write although its read fails. */
export function testReads(world: World): void {
  it.for(fields)('stays APPLIED when its read fails, and shows others no id: %s', async (field) => {
    const rows = await Promise.all(
      Object.entries(failedReads).map(async ([name, ending]) => {
        const own = `ada.${randomUUID()}`;
        const renewed = `${own}-renewed`;
        for (const token of [own, renewed]) world.api.read(token, ending);
        const single = createSingle(world, field);
        const [here, there] = world.processes as [Process, Process];
        const first = await single.ask(here, own);
        const [repeats, others] = await Promise.all(
          [own, renewed].map((token) =>
            Promise.all([single.ask(here, token), single.ask(there, token)]),
          ),
        );
        const { writes } = await single.ledger();
        return {
          name,
          first,
          repeats: repeats!,
          others: others!,
          write: writes[0]!,
          count: writes.length,
        };
      }),
    );

    for (const { name, first, repeats, others, write, count } of rows) {
      const words = [first, ...repeats, ...others].map(toWord);
      expect([name, ...words, count]).toEqual([name, ...expected, 1]);
      expect(repeats.map(({ extensions }) => extensions.studyId)).toEqual(
        Array(2).fill(write.studyId),
      );
      const texts = others.map(({ text }) => text).join(' ');
      expect(texts).not.toContain(write.secret);
      // The id of an edit is in the call itself, but nobody says that it was edited.
      expect(texts).not.toContain(write.studyId);
      const late = [...repeats, ...others].filter(({ ms }) => ms > DEADLINE_MS + 2_000);
      expect(late).toEqual([]);
    }
  });
}
