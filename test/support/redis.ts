import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import type { TestGateway } from './gateway.js';
import { findFreePort } from './process.js';

export interface RedisServer {
  readonly url: URL;
  readonly start: () => Promise<void>;
  /** Kills the server. All written data is available again after the next start. */
  readonly stop: () => Promise<void>;
  /** Suspends the server process: connections stay open, but no command is answered until `thaw`. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Runs a Redis command over a new connection. */
  readonly command: (...command: string[]) => Promise<unknown>;
  /** Kills the server and deletes its data. */
  readonly remove: () => Promise<void>;
}

/**
 * Prepares a real redis-server with a free port and its own directory. Call `start` to start the server.
 *
 * @param given settings beside those of a single server
 */
export async function createRedisServer(
  password = '',
  given: Readonly<Record<string, string>> = {},
): Promise<RedisServer> {
  const port = await findFreePort();
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-redis-'));
  const url = new URL(`redis://:${password}@127.0.0.1:${port}`);
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: directory,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    requirepass: password,
    ...given,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  let child: ChildProcess | undefined;

  const stop = async (): Promise<void> => {
    if (!child) return;
    const ended = once(child, 'exit');
    // A suspended process reacts to SIGKILL only.
    child.kill('SIGKILL');
    await ended;
    child = undefined;
  };
  return {
    url,
    start: async () => {
      const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
      child = started;
      const ended = once(started, 'exit').then(([code]) => {
        throw new Error(`redis-server ended with ${code}.`);
      });
      ended.catch(() => {});
      await Promise.race([waitForLine(started, 'Ready to accept connections'), ended]);
    },
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    command: async (...command) => {
      const client = await createClient({ url: url.href }).connect();
      try {
        return await client.sendCommand(command);
      } finally {
        client.destroy();
      }
    },
    remove: async () => {
      await stop();
      rmSync(directory, { recursive: true });
    },
  };
}

async function waitForLine({ stdout }: ChildProcess, line: string): Promise<void> {
  let output = '';
  for await (const chunk of stdout!) {
    output += String(chunk);
    if (output.includes(line)) break;
  }
  stdout!.resume();
}

/** Starts a real Sentinel that watches one primary under a name. Returns its port, and what removes it. */
export async function startSentinel(name: string, primary: URL) {
  const port = await findFreePort();
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-sentinel-'));
  const file = join(directory, 'sentinel.conf');
  const watched = `sentinel monitor ${name} ${primary.hostname} ${primary.port} 1`;
  writeFileSync(file, `bind 127.0.0.1\nport ${port}\ndir ${directory}\n${watched}\n`);
  const child = spawn('redis-server', [file, '--sentinel'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await waitForLine(child, '+monitor');
  return {
    port,
    remove: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

/** Returns the state of Redis in the last line of the log that has one. */
export function toRedisState({ log }: Pick<TestGateway, 'log'>): string | undefined {
  const states = log.map(({ msg }) => /^redis is (\w+)$/.exec(String(msg))?.[1]);
  return states.findLast((state) => state !== undefined);
}
