import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// Runs services as systemd does, by systemd.unit(5), systemd.service(5), systemd.exec(5), systemd.kill(5) and
// systemd.syntax(7) alone: nothing here knows the gateway. What confines a process (users, sandbox, limits) is ignored.

type Settings = ReadonlyMap<string, string>;

/** Reads a unit file. A line that ends in a backslash continues in the next; comments begin with `#` or `;`. */
function parseUnit(text: string): Settings {
  const lines = text.split('\n').filter((line) => !/^\s*[#;]/.test(line));
  const joined = lines.join('\n').replaceAll('\\\n', ' ').split('\n');
  const pairs = joined.flatMap((line) => {
    const [, name, value] = /^(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as [string, string]];
  });
  const settings = new Map(pairs);
  if (settings.size !== pairs.length)
    throw new Error('A setting that stands twice is not known here.');
  return settings;
}

/** Splits at white space outside of quotes, and removes the quotes. */
function toWords(text: string): string[] {
  if (text.includes('\\')) throw new Error(`Escapes are not known here: ${text}`);
  const words = text.matchAll(/"([^"]*)"(?!\S)|'([^']*)'(?!\S)|([^\s"']+)(?!\S)|(\S)/g);
  return Array.from(words, ([, double, single, plain, wrong]) => {
    if (wrong !== undefined) throw new Error(`A quote within a word is not known here: ${text}`);
    return double ?? single ?? plain ?? '';
  });
}

/** Replaces `%i` by the name of the instance, and `%%` by `%`. */
function expandSpecifiers(text: string, instance: string): string {
  return text.replaceAll(/%(.?)/g, (all, letter) => {
    const value = { i: instance, '%': '%' }[letter as string];
    if (value === undefined) throw new Error(`The specifier ${all} is not known here.`);
    return value;
  });
}

type Variables = Readonly<Record<string, string>>;

function toVariables(pairs: readonly string[]): Variables {
  const split = (pair: string): string[] => /^(\w+)=(.*)$/.exec(pair)?.slice(1) ?? [];
  return Object.fromEntries(pairs.map(split)) as Variables;
}

/** Reads a file of `NAME=value` lines. */
function readEnvironmentFile(path: string): Variables {
  const lines = readFileSync(path, 'utf8').split('\n');
  return toVariables(lines.filter((line) => /^[^#;].*=/.test(line)));
}

/** Replaces `${NAME}`, and `$$` by `$`. */
function expandVariables(word: string, variables: Variables): string {
  return word.replaceAll(/\$(?:\{(\w+)\}|(.?))/g, (all, name, other) => {
    if (name !== undefined) return variables[name as string] ?? '';
    if (other === '$') return '$';
    throw new Error(`${all} is not known here.`);
  });
}

type State = 'inactive' | 'activating' | 'active' | 'failed';

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Ends the process by `signal`, or by SIGKILL after `seconds`. */
async function end(
  child: ChildProcess | undefined,
  signal: string,
  seconds: number,
): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal as NodeJS.Signals);
  const limit = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000);
  await ended;
  clearTimeout(limit);
}

export type Service = ReturnType<typeof createService>;

/** Creates an instance of a template unit, with Type=exec and Restart=always. It is not started. */
function createService(settings: Settings, instance: string) {
  const events = new EventEmitter<{ start: [] }>();
  let state: State = 'inactive';
  let main: ChildProcess | undefined;
  let startPost: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;
  let isWanted = false;
  let job: Promise<boolean> | undefined;
  let starts: number[] = [];

  const read = (name: string, otherwise = ''): string =>
    expandSpecifiers(settings.get(name) ?? otherwise, instance);
  const readNumber = (name: string, otherwise: number): number => {
    const value = Number(read(name, String(otherwise)));
    if (!Number.isInteger(value)) throw new Error(`The value of ${name} is not known here.`);
    return value;
  };
  if (read('Type') !== 'exec' || read('Restart') !== 'always')
    throw new Error('Another Type or Restart is not known here.');

  const run = async (command: string, more: Variables = {}): Promise<ChildProcess> => {
    const env = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
      ...toVariables(toWords(read('Environment'))),
      ...readEnvironmentFile(read('EnvironmentFile')),
      ...more,
    };
    const [program = '', ...args] = toWords(read(command)).map((word) =>
      expandVariables(word, env),
    );
    const child = spawn(program, args, { cwd: read('WorkingDirectory'), env, stdio: 'ignore' });
    await once(child, 'spawn');
    return child;
  };

  const runStartPost = async ({ pid }: ChildProcess): Promise<boolean> => {
    if (!settings.has('ExecStartPost')) return true;
    startPost = await run('ExecStartPost', { MAINPID: String(pid) });
    const limit = setTimeout(
      () => startPost?.kill('SIGTERM'),
      readNumber('TimeoutStartSec', 90) * 1_000,
    );
    if (isRunning(startPost)) await once(startPost, 'exit');
    clearTimeout(limit);
    return startPost.exitCode === 0;
  };

  /** Whether the unit may start: at most StartLimitBurst starts in StartLimitIntervalSec, if that is not 0. */
  const mayStart = (): boolean => {
    const interval = readNumber('StartLimitIntervalSec', 10) * 1_000;
    const now = performance.now();
    starts = [...starts.filter((time) => time > now - interval), now];
    return interval === 0 || starts.length <= readNumber('StartLimitBurst', 5);
  };

  const onEnd = (): void => {
    state = isWanted ? 'failed' : 'inactive';
    const again = (): void => {
      job = start();
    };
    if (isWanted) restart = setTimeout(again, readNumber('RestartSec', 0) * 1_000);
  };

  /** The start succeeds if the main process still runs when ExecStartPost has succeeded. */
  const start = async (): Promise<boolean> => {
    if (!mayStart()) {
      state = 'failed';
      return false;
    }
    isWanted = true;
    state = 'activating';
    main = await run('ExecStart');
    events.emit('start');
    if ((await runStartPost(main)) && isRunning(main)) {
      state = 'active';
      main.once('exit', onEnd);
      return true;
    }
    await end(main, read('KillSignal', 'SIGTERM'), readNumber('TimeoutStopSec', 90));
    onEnd();
    return false;
  };

  const stop = async (): Promise<void> => {
    isWanted = false;
    clearTimeout(restart);
    startPost?.kill('SIGTERM');
    await end(main, read('KillSignal', 'SIGTERM'), readNumber('TimeoutStopSec', 90));
    await job;
    state = 'inactive';
  };

  return {
    /** Emits `start` when the main process was started. */
    events,
    getState: () => state,
    getPid: () => main?.pid,
    start: () => (job = start()),
    stop,
    /** A restart is a stop and then a start. */
    restart: async () => {
      await stop();
      return (job = start());
    },
  };
}

export interface Systemd {
  /** Folder with a program `systemctl`, which knows `enable --now` and `restart`. */
  readonly bin: string;
  /** Calls of `systemctl` so far. */
  readonly calls: readonly string[];
  readonly get: (unit: string) => Service;
  readonly close: () => Promise<void>;
}

/** Starts a service manager with one template unit. `bin` is an empty folder, for its program `systemctl`. */
export async function startSystemd(unit: string, bin: string): Promise<Systemd> {
  const settings = parseUnit(unit);
  const services = new Map<string, Service>();
  const get = (name: string): Service => {
    const [, instance] = /^[\w-]+@(\w+)$/.exec(name) ?? [];
    if (instance === undefined) throw new Error(`${name} is no instance of the unit.`);
    const service = services.get(name) ?? createService(settings, instance);
    services.set(name, service);
    return service;
  };
  const calls: string[] = [];
  const carryOut = async (call: string): Promise<boolean> => {
    const [, verb, units = ''] = /^(enable --now|restart) (.*)$/.exec(call) ?? [];
    if (verb === undefined) throw new Error(`systemctl ${call} is not known here.`);
    const named = units.split(' ').map(get);
    const jobs = named.map((each) => (verb === 'restart' ? each.restart() : each.start()));
    return (await Promise.all(jobs)).every(Boolean);
  };

  const server = createServer((request, response) => {
    const call = decodeURIComponent(request.url!.slice(1));
    calls.push(call);
    const settle = (code: number): unknown => response.end(String(code));
    carryOut(call).then(
      (isDone) => settle(isDone ? 0 : 1),
      () => settle(2),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const program = `#!${process.execPath}
    const call = encodeURIComponent(process.argv.slice(2).join(' '));
    process.getBuiltinModule('http').get('http://127.0.0.1:${port}/' + call, async (response) => {
      for await (const code of response) process.exitCode = Number(code);
    });`;
  writeFileSync(join(bin, 'systemctl'), program, { mode: 0o755 });

  return {
    bin,
    calls,
    get,
    close: async () => {
      await Promise.all([...services.values()].map((service) => service.stop()));
      server.close();
      server.closeAllConnections();
    },
  };
}
