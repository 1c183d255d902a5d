import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { spawnProgram, waitForUrl, type Program } from '../../support/program.js';
import { createRedisServer, type RedisServer } from '../../support/redis.js';
import { startGate, type Gate } from './gate.js';
import { startApi, type Api } from './study-api.js';

/** Deadline of a call to the Study API, unless a world has another one: many times what a call takes. */
export const DEADLINE_MS = 2_000;

/** A gateway process, and the only way from it to Redis. */
export interface Process {
  readonly url: string;
  readonly redis: Gate;
  readonly program: Program;
}

export interface World {
  readonly api: Api;
  /** The way from all gateways to the Study API. */
  readonly apiGate: Gate;
  readonly redis: RedisServer;
  /** Two processes, or with `withoutReads` two more, whose contract has no `GET /studies/{id}`. */
  readonly processes: readonly Process[];
  /** Starts another process, which is killed after the tests. */
  readonly start: (env?: Record<string, string>) => Promise<Process>;
}

export interface WorldOptions {
  readonly withoutReads?: boolean;
  /** Variables of all processes. */
  readonly env?: Record<string, string>;
  /** Contract of all processes but those without reads. */
  readonly contract?: object;
}

/** Starts a Study API, a Redis and gateways for all tests of a `describe`, if `redis-server` is installed. */
export function useWorld({ withoutReads = false, env, contract }: WorldOptions = {}): World {
  const ends: (() => unknown)[] = [];
  const world = {} as { -readonly [Name in keyof World]: World[Name] };
  if (inject('missingTools').includes('redis')) return world;

  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'study-gateway-keys-'));
    ends.push(() => rmSync(directory, { recursive: true }));
    const toFile = (name: string, content: object): string => {
      const path = join(directory, `${name}.json`);
      writeFileSync(path, JSON.stringify(content));
      return path;
    };
    const api = await startApi();
    const redis = await createRedisServer('', { 'repl-diskless-sync-delay': '0' });
    ends.push(api.close, redis.remove);
    const apiGate = await startGate(api.port);
    ends.push(apiGate.shut);
    await redis.start();

    const start = async (given?: Record<string, string>): Promise<Process> => {
      const gate = await startGate(Number(redis.url.port));
      const program = spawnProgram({
        cwd: directory,
        env: {
          STUDY_API_URL: `http://127.0.0.1:${apiGate.port}`,
          REDIS_URL: `redis://127.0.0.1:${gate.port}`,
          STUDY_API_TIMEOUT_MS: String(DEADLINE_MS),
          ...env,
          ...(contract && { STUDY_API_CONTRACT: toFile('contract', contract) }),
          ...given,
        },
      });
      ends.unshift(async () => {
        program.kill('SIGKILL');
        await Promise.all([program.exit, gate.shut()]);
      });
      return { url: await waitForUrl(program), redis: gate, program };
    };
    const noReads = { STUDY_API_CONTRACT: toFile('no-reads', { operations: { study: false } }) };
    const envs = withoutReads ? [{}, {}, noReads, noReads] : [{}, {}];
    const processes = await Promise.all(envs.map(start));
    Object.assign(world, { api, apiGate, redis, processes, start });
  }, 60_000);
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return world;
}

/** Returns the value of an entry of `API_KEYS` for a caller. */
export function toApiKey(name: string, secret: string): string {
  return `${name}:${createHash('sha256').update(secret).digest('hex')}`;
}
