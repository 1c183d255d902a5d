import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print, type ExecutionResult } from 'graphql';
import { onTestFinished } from 'vitest';
import { toPostInit } from './post.js';
import { spawnProgram, type Program, type SpawnOptions } from './program.js';

export type { Program };

export interface ProgramOptions extends Omit<SpawnOptions, 'cwd'> {
  /** Default: a directory of its own. */
  readonly cwd?: string;
}

/** The built program as a process of its own. It is killed when the test ends. */
export function startProgram(options: ProgramOptions = {}): Program {
  const program = spawnProgram({ ...options, cwd: options.cwd ?? createDirectory() });
  onTestFinished(async () => {
    program.kill('SIGKILL');
    await program.exit;
  });
  return program;
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
  const url = /^ +GraphQL +(\S+)\/graphql /m.exec(banner)?.[1];
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

/** A port of 127.0.0.1 that nobody listens on for now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
  const authorization = 'Bearer demo-token';
  const body = { query: print(document), variables };
  const response = await fetch(`${url}/graphql`, toPostInit(body, { authorization }));
  return (await response.json()) as ExecutionResult<TData>;
}
