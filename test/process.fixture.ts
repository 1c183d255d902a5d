import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print, type ExecutionResult } from 'graphql';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  /** The first match in what was written to stdout. Rejects when the program ends without one. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly exit: Promise<Exit>;
}

export interface ProgramOptions {
  /** On top of free ports and a database in memory; '' unsets a variable. Nothing else is inherited. */
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** Default: a directory of its own. */
  readonly cwd?: string;
}

/** The built program as a process of its own. It is killed when the test ends. */
export function startProgram(options: ProgramOptions = {}): Program {
  const { env = {}, args = [], cwd = createDirectory() } = options;
  if (!existsSync(main)) throw new Error('dist/main.js is missing. Run "npm run build" first.');
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env.PATH, PORT: '0', EMULATOR_PORT: '0', EMULATOR_DB: ':memory:', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exit = once(child, 'close').then(([code, signal]): Exit => ({
    code,
    signal,
    stdout,
    stderr,
  }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });

  return {
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
        await Promise.race([once(child.stdout, 'data'), ended]);
        match = pattern.exec(stdout);
      }
      return match;
    },
  };
}

export interface ReadyProgram extends Program {
  /** `http://127.0.0.1:41234` */
  readonly url: string;
  /** The whole banner. */
  readonly banner: string;
  /** The line of the banner that creates a study. */
  readonly curl: string;
}

/** The same, once its banner has said that it is ready. */
export async function startReadyProgram(options: ProgramOptions = {}): Promise<ReadyProgram> {
  const program = startProgram(options);
  const [banner] = await program.printed(/^ +study-gateway is ready\.$[^]*^curl .*$/m);
  const url = /^ +GraphQL +(\S+)\/graphql$/m.exec(banner)?.[1];
  const curl = /^curl .*$/m.exec(banner)?.[0];
  if (!url || !curl) throw new Error(`The banner names no endpoint:\n${banner}`);
  return { ...program, url, banner, curl };
}

/** A directory of its own that goes when the test ends. */
export function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** A port of 127.0.0.1 that another program listens on until the test ends. */
export async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Runs one line with curl as a person would, and returns the JSON that it prints. */
export async function runCurl(line: string): Promise<unknown> {
  const { PATH } = process.env;
  const output = await new Promise<string>((resolve, reject) => {
    execFile('/bin/sh', ['-c', line], { env: { PATH } }, (error, stdout) => {
      if (!error) resolve(stdout);
      else if (error.code === 127)
        reject(new Error('curl is not installed, and the examples are run with it.'));
      else reject(error);
    });
  });
  return JSON.parse(output);
}

/** Runs an operation with the emulator's token. */
export async function runOperation<TData, TVariables>(
  url: string,
  document: TypedDocumentNode<TData, TVariables>,
  variables: TVariables,
): Promise<ExecutionResult<TData>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-token' },
    body: JSON.stringify({ query: print(document), variables }),
  });
  return (await response.json()) as ExecutionResult<TData>;
}
