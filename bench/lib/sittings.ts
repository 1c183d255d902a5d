import { readFileSync, writeFileSync } from 'node:fs';
import { describeMachine, readOwnVersions } from './machine.ts';
import type { PathResult } from './paths.ts';

const FILE = new URL('../paths.json', import.meta.url);
/** Number of sittings that the file keeps. docs/performance.md claims only what all of them showed. */
const MAX_SITTINGS = 3;

/** One whole measurement of all paths. */
export interface Sitting {
  /** Start in UTC, to the minute: `2026-11-22T17:05`. */
  readonly at: string;
  readonly machine: object;
  readonly versions: Readonly<Record<string, string>>;
  readonly paths: readonly PathResult[];
}

/** Adds a sitting to `paths.json`, and returns the last three. */
export function addSitting(startedAt: Date, paths: readonly PathResult[]): readonly Sitting[] {
  const sitting: Sitting = {
    at: startedAt.toISOString().slice(0, 16),
    machine: describeMachine(),
    versions: readOwnVersions(),
    paths,
  };
  const before: Sitting[] = JSON.parse(readFileSync(FILE, 'utf8'));
  const sittings = [...before, sitting].slice(-MAX_SITTINGS);
  const shorten = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  writeFileSync(FILE, `${JSON.stringify(sittings, shorten, 2)}\n`);
  return sittings;
}
