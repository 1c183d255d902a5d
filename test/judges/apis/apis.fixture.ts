import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionResult } from 'graphql';
import { pino } from 'pino';
import { runContract } from 'study-gateway-contract';
import { afterAll } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../../src/config/config.js';
import { startGatewayProgram } from '../../../src/start.js';
import { allDaily } from '../../support/daily.js';
import { toPostInit } from '../../support/post.js';
import { startReadyProgram } from '../../support/process.js';
import { main } from '../../support/program.js';
import { run } from '../../support/run.js';
import { chooseAddress, startApi, token, type Api, type Framework } from './apis.mjs';

export interface Ran {
  readonly code: number | null;
  /** What the program printed, on stdout and stderr. */
  readonly output: string;
}

/** Runs a command of the built program, types `answer` into it, and waits for its end. */
export async function runMain(
  args: readonly string[],
  env: Record<string, string> = {},
  answer = '',
): Promise<Ran> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    timeout: 15_000,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.on('error', () => {}).end(answer);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Makes a JSON document of a YAML one by the command that `contract --from` prints; daily, because it takes seconds. */
async function toJson(url: string, directory: string): Promise<string> {
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const document = join(directory, 'openapi.json');
  const bundle = () =>
    run(directory, process.execPath, [cli, 'bundle', url, '--output', 'openapi.json']);
  const convert = async () =>
    writeFileSync(document, JSON.stringify(parse(await (await fetch(url)).text())));
  await allDaily(bundle, convert)();
  return document;
}

/** A study, or a page of studies. */
interface Shown extends Record<string, unknown> {
  readonly id: string;
  readonly items: readonly { readonly id: string }[];
}

type Data = Readonly<Record<string, Shown | null>>;

export type Ask = (
  query: string,
  variables?: object,
  bearer?: string,
) => Promise<ExecutionResult<Data>>;

/** Returns a function that sends operations to a gateway. */
function toAsk(url: string): Ask {
  return async (query, variables = {}, bearer = token) => {
    const headers = { authorization: `Bearer ${bearer}` };
    const response = await fetch(`${url}/graphql`, toPostInit({ query, variables }, headers));
    return (await response.json()) as ExecutionResult<Data>;
  };
}

export interface Served {
  readonly api: Api;
  readonly from: Ran;
  /** The contract file as the command wrote it, and as the engineer filled it in. */
  readonly written: object;
  readonly filled: object;
  /** Path of the file that the engineer filled in. */
  readonly contract: string;
  /** Variables of the gateway. */
  readonly env: Record<string, string>;
}

/**
 * Starts the API, makes its contract as a person does, and starts the gateway with it; each once for all tests of a
 * `describe`, when the first test asks. A step that fails fails each test that needs it.
 */
export function useApi(framework: Framework) {
  const ends: (() => unknown)[] = [];
  let serving: Promise<Served> | undefined;
  let gateway: Promise<Ask> | undefined;
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  async function prepare(): Promise<Served> {
    const api = await startApi(framework);
    ends.push(api.close);
    const directory = mkdtempSync(join(tmpdir(), 'study-apis-'));
    ends.push(() => rmSync(directory, { recursive: true }));
    const contract = join(directory, 'study-api.json');
    const make = async (source: string): Promise<Ran> => {
      let output = '';
      const print = (text: string): void => void (output += text);
      const args = ['--from', source, '--save', contract];
      return { code: await runContract(args, print), output };
    };
    let from = await make(api.documentUrl);
    if (from.output.includes(`npx @redocly/cli bundle ${api.documentUrl} --output openapi.json`))
      from = await make(await toJson(api.documentUrl, directory));
    const written = JSON.parse(readFileSync(contract, 'utf8')) as object;
    const filled = structuredClone(written);
    framework.fill(filled);
    writeFileSync(contract, JSON.stringify(filled));
    const env = { STUDY_API_URL: chooseAddress(from.output, api), STUDY_API_CONTRACT: contract };
    return { api, from, written, filled, contract, env };
  }

  const serve = (): Promise<Served> => (serving ??= prepare());

  async function startGateway(): Promise<Ask> {
    const config = readConfig({ ...(await serve()).env, PORT: '0' });
    const { url, close } = await startGatewayProgram(config, pino({ level: 'silent' }));
    ends.push(close);
    return toAsk(url);
  }

  return {
    serve,
    /** Returns the API and a function that asks the gateway in front of it. */
    open: async () => ({ ...(await serve()), ask: await (gateway ??= startGateway()) }),
    /** Starts another gateway for the test, as a program, with other variables too. */
    openAnother: async (env: Record<string, string> = {}) => {
      const served = await serve();
      const program = await startReadyProgram({ env: { ...served.env, ...env } });
      return { ...served, ...program, ask: toAsk(program.url) };
    },
  };
}

/** Returns the pointers of all empty strings in a contract file. */
export function findEmpty(value: unknown, pointer = ''): string[] {
  if (value === '') return [pointer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => findEmpty(part, `${pointer}/${name}`));
}

/** Returns the value at a pointer of `findEmpty`. */
export function readPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);
}
