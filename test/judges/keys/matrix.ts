import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { allDaily } from '../../support/daily.js';
import { ask, type Answer } from './ask.js';
import { endings, type EndingName } from './study-api.js';
import { each, tokens, Trial, type Case, type Slack } from './trial.js';
import type { Process, World } from './world.fixture.js';

const fields = ['createStudy', 'editStudy'] as const;
const callers = ['same', 'renewed', 'strange'] as const;
const both = [false, true];

/** One ending of each kind, for the ordinary run; the daily job takes all. */
const kinds: readonly EndingName[] = [
  'a study',
  '204',
  'an answer that was cut',
  'a cut after the write',
  'no answer in time',
  '422',
  '500 before the write',
];

/**
 * Every ending and caller, here and elsewhere. Neighbours have other endings, so that no circuit opens. The ordinary run
 * takes one of `share` cases: with 2 or 4, each ending by each caller.
 */
export function toCases(
  reads: readonly boolean[] = [true],
  names = toNames(),
  share = 2,
): readonly Case[] {
  const cases = reads.flatMap((reads) =>
    fields.flatMap((field) =>
      both.flatMap((elsewhere) =>
        callers.flatMap((caller) =>
          names.map((ending): Case => ({ ending, field, elsewhere, caller, reads })),
        ),
      ),
    ),
  );
  const isChosen = (index: number): boolean =>
    (Math.floor(index / names.length) + (index % names.length)) % share === 0;
  return allDaily(
    cases,
    cases.filter((_, index) => isChosen(index)),
  );
}

function toNames(): readonly EndingName[] {
  return allDaily(Object.keys(endings) as EndingName[], kinds);
}

/** Prepares the trials of all cases. */
export function prepareAll(
  world: World,
  cases: readonly Case[],
  holds?: 'before' | 'after',
): readonly Trial[] {
  return cases.map((given) => new Trial(world, given, holds));
}

/** Makes the first call of all trials; those that get no connection come last. */
export async function firstOfAll(world: World, trials: readonly Trial[]): Promise<void> {
  const isLone = ({ given }: Trial): boolean => given.ending === 'no connection';
  await each(
    trials.filter((trial) => !isLone(trial)),
    (trial) => trial.first(),
  );
  await world.apiGate.shut();
  await each(trials.filter(isLone), (trial) => trial.first());
  await world.apiGate.reopen();
}

/** Returns the complaints of all trials. */
export async function judgeAll(trials: readonly Trial[], mayLose = false): Promise<string[]> {
  const complaints = await Promise.all(trials.map((trial) => trial.judge({ mayLose })));
  return complaints.flat();
}

/** Makes the first call of all trials, and `act` while the calls are at the Study API. */
export async function duringFirst(
  world: World,
  trials: readonly Trial[],
  act: () => Promise<unknown>,
): Promise<void> {
  const firsts = each(trials, (trial) => trial.first(), trials.length);
  await Promise.all(trials.map(({ mark }) => world.api.ledger(mark, { arrived: 1 })));
  await act();
  for (const { mark } of trials) world.api.release(mark);
  await firsts;
}

/** Makes the repeat of each case, and one more by the first caller. */
export async function repeatAll(trials: readonly Trial[], slack: Slack): Promise<void> {
  await each(trials, (trial) => trial.repeat(slack));
  await each(trials, (trial) => trial.repeat(slack, 'same'));
}

/** Waits until a keyed write works in these processes again. Returns how long this took, in ms. */
export async function untilKeyed(processes: readonly Process[]): Promise<number> {
  const from = performance.now();
  for (const { url } of processes)
    await vi.waitFor(
      async () => {
        const { word, text } = await write(url, randomUUID());
        if (word !== 'study') throw new Error(text);
      },
      { timeout: 10_000 },
    );
  return performance.now() - from;
}

/** Creates a study, with or without a key. */
export const write = (url: string, key?: string): Promise<Answer> => {
  const mark = `probe ${randomUUID()}`;
  return ask(url, { field: 'createStudy', mark, token: tokens.same, ...(key && { key }) });
};
