import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { onTestFinished } from 'vitest';
import { write, type Fate } from '../soak/client.js';

/** Which gateway reported a fate: `either` while one replaces the other on one port. */
type By = 'released' | 'current' | 'either';

/** Where writes are sent. */
export interface Place {
  readonly url: string;
  readonly by: By;
}

/** Fates of an attempt after which a repeat with the key is safe, and needed. */
const passing = new Set<Fate>(['NOT_SENT', 'REFUSED', 'BROKEN']);

/** Creates writes with idempotency keys, and records what each gateway reports of them. */
export function createKeyedWrites(name: string) {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const keys = new Map<string, string>();
  const told = new Map<string, Record<By, Set<Fate>>>();

  /** Sends a write until its fate is known. */
  const send = async ({ url, by }: Place, description: string): Promise<void> => {
    const key = keys.get(description)!;
    let fate: Fate;
    do fate = await write({ url, agent, key }, description);
    while (passing.has(fate));
    told.get(description)![by].add(fate);
  };
  const create = (): string => {
    const description = `${name}-${keys.size}`;
    keys.set(description, randomUUID());
    told.set(description, { released: new Set(), current: new Set(), either: new Set() });
    return description;
  };
  return {
    told,
    send,
    create,
    /** Sends each write once more. */
    repeatAll: async (place: Place): Promise<void> => {
      const left = [...keys.keys()];
      const work = async (): Promise<void> => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) await send(place, next);
      };
      await Promise.all(Array.from({ length: 8 }, work));
    },
  };
}

export type KeyedWrites = ReturnType<typeof createKeyedWrites>;

/**
 * Returns a line for each write of which the gateways reported different fates. Version 0.2.0 believes a 2xx without
 * evidence: its `APPLIED` may be `UNKNOWN` in the reports of a later version, never the other way round.
 */
export function findDifferences({ told }: KeyedWrites): string[] {
  return [...told].flatMap(([description, { released, current, either }]) => {
    const all = new Set([...released, ...current, ...either]);
    const isOne = all.size === 1;
    const isWeaker =
      [...all].toSorted().join() === 'APPLIED,UNKNOWN' &&
      !released.has('UNKNOWN') &&
      !current.has('APPLIED');
    if (isOne || isWeaker) return [];
    const toText = (fates: Set<Fate>): string => [...fates].join(' ');
    return [`${description}: ${[released, current, either].map(toText).join(' | ')}`];
  });
}

/** Returns the fates that one kind of gateway has reported, by the description of the write. */
export function toFates({ told }: KeyedWrites, by: By): Map<string, Fate> {
  return new Map(
    [...told].flatMap(([description, fates]) =>
      [...fates[by]].slice(0, 1).map((fate) => [description, fate] as const),
    ),
  );
}
