import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the built program, or of the program in `GATEWAY_MAIN`, such as `bundle/main.js`. */
export const main = resolve(
  fileURLToPath(new URL('../..', import.meta.url)),
  process.env['GATEWAY_MAIN'] ?? 'dist/main.js',
);

/** Node stores compiled modules here, so that the next start takes a fifth less CPU. */
const compileCache = fileURLToPath(
  new URL('../../node_modules/.cache/node-compile-cache', import.meta.url),
);

/** Node 22 warns on stderr that SQLite, which the emulator needs, is experimental. */
const quiet = process.versions.node.startsWith('22.')
  ? ['--disable-warning=ExperimentalWarning']
  : [];

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcess;
  /** Resolves with the first match of `pattern` in stdout. Rejects if the program ends without a match. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly exit: Promise<Exit>;
}

export interface SpawnOptions {
  /** Path of the script. Default: the built program. */
  readonly script?: string;
  /** Variables in addition to PATH, free ports and an in-memory database, or overriding these; '' unsets a variable. */
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** Options of Node itself, such as `--import`. */
  readonly nodeArgs?: readonly string[];
  readonly cwd: string;
  /** User of the process. Default: the one who runs the tests. */
  readonly user?: { readonly uid?: number; readonly gid?: number };
  /** File descriptor that receives stdout. Default: a pipe, which `printed` needs. */
  readonly stdout?: number;
  /** Whether to open an IPC channel between the test and the program. */
  readonly hasChannel?: boolean;
  /** Number of characters at the end of stdout that are always kept. Default: all. */
  readonly maxOutput?: number;
}

/** Starts the built program as a child process. The caller must end the process. */
export function spawnProgram(options: SpawnOptions): Program {
  const { script = main, env = {}, args = [], nodeArgs = [], cwd, stdout: out = 'pipe' } = options;
  const { user = {}, hasChannel = false, maxOutput = Infinity } = options;
  if (!existsSync(script)) throw new Error(`${script} is missing. Run "npm run build" first.`);
  const child = spawn(process.execPath, [...quiet, ...nodeArgs, script, ...args], {
    cwd,
    ...user,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      EMULATOR_PORT: '0',
      EMULATOR_DB: ':memory:',
      ...env,
    },
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

/** Waits for the banner that says that the gateway is ready. Returns its URL, such as `http://127.0.0.1:41234`. */
export async function waitForUrl({ printed }: Program): Promise<string> {
  const [, url = ''] = await printed(/^ +GraphQL +(\S+)\/graphql$[^]*^ +Study API .*$/m);
  return url;
}
