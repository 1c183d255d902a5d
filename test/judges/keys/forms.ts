import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSingle, toWord } from './single.js';
import { tokens } from './trial.js';
import type { World } from './world.fixture.js';

const fields = ['createStudy', 'editStudy'] as const;
const lost = { cuts: 'request' } as const;

/** Tests what counts as a key, and what the Study API gets of it. */
export function testForms(world: World): void {
  const uuid = randomUUID();
  const keys = [
    '',
    `${uuid} `,
    `{${uuid}}`,
    uuid.replaceAll('-', ''),
    `${uuid}0`,
    uuid.replace(/.$/, 'g'),
    `${uuid}\n`,
    'ä'.repeat(36),
  ];

  it.for(fields)(
    'a key that is no UUID is refused with its path, and without a token UNAUTHENTICATED: %s',
    async (field) => {
      for (const key of keys) {
        const single = await createSingle(world, field);
        const answer = await single.ask(world.processes[0]!, tokens.same, { key });
        const stranger = await single.ask(world.processes[0]!, null, { key });
        expect([key, toWord(answer), toWord(stranger)]).toEqual([key, 'NOT_SENT', 'NOT_SENT']);
        expect(answer.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          retryable: false,
          fieldErrors: [{ path: ['idempotencyKey'] }],
        });
        expect(stranger.extensions.code).toBe('UNAUTHENTICATED');
        expect(stranger.extensions.fieldErrors).toBeUndefined();
        expect((await single.ledger()).writes).toEqual([]);
      }
    },
  );

  it('a key is looked up for nobody without a token', async () => {
    const single = await createSingle(world, 'createStudy');
    await single.ask(world.processes[0]!);
    const stranger = await single.ask(world.processes[0]!, null);
    expect(stranger.extensions).toMatchObject({ code: 'UNAUTHENTICATED', outcome: 'NOT_SENT' });
    expect((await single.ledger()).writes).toHaveLength(1);
  });

  it.for(fields)(
    'a key is in the header to the Study API, and UNKNOWN of %s is never sent again',
    async (field) => {
      const single = await createSingle(world, field, lost);
      const words = [];
      for (const process of world.processes.slice(0, 2))
        for (const token of Object.values(tokens))
          words.push(toWord(await single.ask(process, token)));

      expect(words).toEqual(Array(6).fill('UNKNOWN'));
      const { writes } = await single.ledger();
      expect(writes.map(({ key }) => key)).toEqual([single.key]);
    },
  );
}
