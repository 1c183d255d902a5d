import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built program. */
export const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcess;
  /** The first match in what was written to stdout. Rejects when the program ends without one. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly exit: Promise<Exit>;
}

export interface SpawnOptions {
  /** On top of free ports and a database in memory; '' unsets a variable. Nothing else is inherited. */
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** Of Node itself, such as `--import`. */
  readonly nodeArgs?: readonly string[];
  readonly cwd: string;
  /** A file descriptor in place of the pipe that `printed` reads. */
  readonly stdout?: number;
  /** Whether the two can send each other messages. */
  readonly hasChannel?: boolean;
  /** Only so many of the last characters of stdout are kept. */
  readonly maxOutput?: number;
}

/** The built program as a process of its own, for the caller to end. */
export function spawnProgram(options: SpawnOptions): Program {
  const { env = {}, args = [], nodeArgs = [], cwd, stdout: out = 'pipe' } = options;
  const { hasChannel = false, maxOutput = Infinity } = options;
  if (!existsSync(main)) throw new Error('dist/main.js is missing. Run "npm run build" first.');
  const child = spawn(process.execPath, [...nodeArgs, main, ...args], {
    cwd,
    env: { PATH: process.env.PATH, PORT: '0', EMULATOR_PORT: '0', EMULATOR_DB: ':memory:', ...env },
    stdio: ['ignore', out, 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.length > 2 * maxOutput) stdout = stdout.slice(-maxOutput);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exit = once(child, 'close').then(([code, signal]): Exit => ({
    code,
    signal,
    stdout,
    stderr,
  }));

  return {
    child,
    exit,
    kill: (signal) => child.kill(signal),
    printed: async (pattern) => {
      let match = pattern.exec(stdout);
      while (!match) {
        const ended = exit.then(({ code }) => {
          throw new Error(
            `It ended with ${code} and never printed ${pattern}:\n${stdout}${stderr}`,
          );
        });
        await Promise.race([child.stdout && once(child.stdout, 'data'), ended]);
        match = pattern.exec(stdout);
      }
      return match;
    },
  };
}

/** Where the gateway listens, `http://127.0.0.1:41234`, once its banner has said that it is ready. */
export async function waitForUrl({ printed }: Program): Promise<string> {
  const [, url = ''] = await printed(/^ +GraphQL +(\S+)\/graphql [^]*^curl .*$/m);
  return url;
}
