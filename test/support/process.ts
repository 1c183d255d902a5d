import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print, type ExecutionResult } from 'graphql';
import { onTestFinished } from 'vitest';
import { listen } from './listen.js';
import { toPostInit } from './post.js';
import { spawnProgram, type Program, type SpawnOptions } from './program.js';

export type { Program };

export interface ProgramOptions extends Omit<SpawnOptions, 'cwd'> {
  /** Working directory. Default: a new temporary directory. */
  readonly cwd?: string;
}

/** Starts the built program as a child process, and kills it when the test ends. */
export function startProgram(options: ProgramOptions = {}): Program {
  const program = spawnProgram({ ...options, cwd: options.cwd ?? createDirectory() });
  onTestFinished(async () => {
    program.kill('SIGKILL');
    await program.exit;
  });
  return program;
}

/** Returns options of Node that make a program run the module `code` before its own modules. */
export function toPreload(code: string): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

export interface ReadyProgram extends Program {
  /** URL of the gateway, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** The banner that the program printed. */
  readonly banner: string;
}

/** Starts the built program as a child process, and waits until its banner says that the program is ready. */
export async function startReadyProgram(options: ProgramOptions = {}): Promise<ReadyProgram> {
  const program = startProgram(options);
  const [banner, url = ''] = await program.printed(
    /^ +study-gateway is ready\.$[^]*^ +GraphQL +(\S+)\/graphql$[^]*^ +Study API .*$/m,
  );
  return { ...program, url, banner };
}

/** Creates a temporary directory, and removes it when the test ends. */
export function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/**
 * Returns a port of 127.0.0.1 that no program listens on at the moment. It is below the ports that Linux gives to
 * outgoing connections and to listeners on port 0, so that no other test gets it before it is used.
 */
export async function findFreePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return findFreePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

/** Listens on a port of 127.0.0.1 until the test ends, and returns the port. */
export async function takePort(): Promise<number> {
  return Number(new URL(await listen(createHttpServer())).port);
}

/** Runs a shell line with curl, and returns the JSON that curl prints. */
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

/** Runs an operation with the emulator's token, and returns its result. */
export async function runOperation<TData, TVariables>(
  url: string,
  document: TypedDocumentNode<TData, TVariables>,
  variables: TVariables,
): Promise<ExecutionResult<TData>> {
  const authorization = 'Bearer demo-token';
  const body = { query: print(document), variables };
  const response = await fetch(`${url}/graphql`, toPostInit(body, { authorization }));
  return (await response.json()) as ExecutionResult<TData>;
}
