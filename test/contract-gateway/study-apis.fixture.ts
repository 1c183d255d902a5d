import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ExecutionResult } from 'graphql';
import { afterAll, beforeAll, inject } from 'vitest';
import { toPostInit } from '../support/post.js';
import { spawnProgram, type Program } from '../support/program.js';

export type Ask = (
  query: string,
  variables?: object,
  token?: string,
) => Promise<ExecutionResult<Readonly<Record<string, unknown>>>>;

/** A call that a Study API received: method, path and query, and the bytes of the body as text. */
export interface Call {
  readonly call: string;
  readonly body: string;
}

/**
 * Starts one Study API on FastAPI for each form, for all tests of a `describe`. Its `connect` starts the gateway in
 * front of a form, once for each form. Without a contract, `contract --from` makes one, whose empty places get `answers`.
 */
export function useStudyApis(
  forms: Readonly<Record<string, object>>,
  answers: Readonly<Record<string, string>>,
) {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-'));
  const programs: Program[] = [];
  const connected = new Map<string, ReturnType<typeof connect>>();
  let urls: Readonly<Record<string, string>> = {};
  let end = async (): Promise<void> => {};

  beforeAll(async () => {
    if (inject('missingTools').includes('fastapi')) return;
    const path = fileURLToPath(new URL('study_apis.py', import.meta.url));
    const args = ['-B', path, JSON.stringify(forms)];
    const child = spawn('/usr/bin/python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    end = async () => {
      child.stdin.end();
      await ended;
    };
    const failed = ended.then(([code]): never => {
      throw new Error(`study_apis.py ended with ${code}.`);
    });
    failed.catch(() => {});
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
    urls = JSON.parse(line);
  });

  afterAll(async () => {
    for (const program of programs) program.kill('SIGKILL');
    await Promise.all([end(), ...programs.map(({ exit }) => exit)]);
    rmSync(directory, { recursive: true });
  });

  function start(args: readonly string[], env: Record<string, string> = {}): Program {
    const program = spawnProgram({ cwd: directory, args, env });
    programs.push(program);
    return program;
  }

  /** Runs `contract --from` and fills the empty places of the file. Returns the file as it was before that. */
  async function make(from: string, file: string) {
    const { code, stdout, stderr } = await start(['contract', '--from', from, '--save', file]).exit;
    const saved = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (saved) writeFileSync(file, fill(saved, answers));
    return { code, printed: stdout + stderr, saved };
  }

  /** `null` is no contract at all. */
  async function connect(form: string, contract?: object | null) {
    const api = urls[form] ?? '';
    const file = join(directory, `${form}.json`);
    const made =
      contract === undefined
        ? await make(`${api}/openapi.json`, file)
        : { code: null, printed: '', saved: '' };
    if (made.saved === undefined)
      throw new Error(`No file was saved (${made.code}): ${made.printed}`);
    if (contract) writeFileSync(file, JSON.stringify(contract));
    const env = { STUDY_API_URL: api, STUDY_API_CONTRACT: contract === null ? '' : file };
    const [, gateway = ''] = await start([], env).printed(/^ +GraphQL +(\S+)\/graphql /m);
    const ask: Ask = async (query, variables = {}, token = 'a-token') => {
      const init = toPostInit({ query, variables }, { authorization: `Bearer ${token}` });
      const response = await fetch(`${gateway}/graphql`, init);
      return (await response.json()) as Awaited<ReturnType<Ask>>;
    };
    const fetchCalls = async (): Promise<readonly Call[]> => {
      const response = await fetch(`${api}/__received`);
      return (await response.json()) as readonly Call[];
    };
    /** Asks one after the other. Returns the results, and the calls that the Study API received meanwhile. */
    const askAll = async (...asked: readonly Parameters<Ask>[]) => {
      const before = await fetchCalls();
      const results = [];
      for (const one of asked) results.push(await ask(...one));
      return { results, calls: (await fetchCalls()).slice(before.length) };
    };
    return { ...made, saved: made.saved, api, gateway, ask, askAll };
  }

  return {
    directory,
    start,
    make,
    connect: (form: string, contract?: object | null): ReturnType<typeof connect> => {
      const known = connected.get(form) ?? connect(form, contract);
      connected.set(form, known);
      return known;
    },
  };
}

/** Fills each empty place of a contract by the last name of the place. Throws if there is no answer. */
function fill(saved: string, answers: Readonly<Record<string, string>>): string {
  const contract: unknown = JSON.parse(saved, (place: string, value: unknown) => {
    if (value !== '') return value;
    const answer = answers[place.split(/[./]/).at(-1) ?? ''];
    if (answer === undefined) throw new Error(`Nothing is known of the empty place "${place}".`);
    return answer;
  });
  return JSON.stringify(contract);
}
