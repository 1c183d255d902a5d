import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionResult } from 'graphql';
import { afterAll, beforeAll, inject } from 'vitest';
import { toPostInit } from '../support/post.js';
import { spawnProgram, waitForUrl, type Program } from '../support/program.js';
import { startPython, type Python } from '../support/python.js';

export interface Asked {
  readonly query: string;
  readonly variables?: object;
  readonly token?: string;
}

/**
 * Starts one Study API on FastAPI for each form, for all tests of a `describe`. Its `connect` starts the gateway in
 * front of a form, once for each form. Without a contract, `contract --from` makes one, whose empty places get `answers`.
 */
export function useStudyApis(
  forms: Readonly<Record<string, object>>,
  answers: Readonly<Record<string, string>>,
) {
  const directory = mkdtempSync(join(tmpdir(), 'contracts-'));
  const programs: Program[] = [];
  const connected = new Map<string, ReturnType<typeof connect>>();
  let python: Python | undefined;

  beforeAll(async () => {
    if (inject('missingTools').includes('fastapi')) return;
    const path = fileURLToPath(new URL('study_apis.py', import.meta.url));
    python = await startPython(path, [JSON.stringify(forms)]);
  });

  afterAll(async () => {
    for (const program of programs) program.kill('SIGKILL');
    await Promise.all([python?.end(), ...programs.map(({ exit }) => exit)]);
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
    const saved = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (saved) writeFileSync(file, fill(saved, answers));
    return { code, printed: stdout + stderr, saved };
  }

  /** `null` is no contract at all. */
  async function connect(form: string, contract?: object | null) {
    const api = String(JSON.parse(python?.line ?? '{}')[form]);
    const file = join(directory, `${form}.json`);
    const made = contract === undefined ? await make(`${api}/openapi.json`, file) : undefined;
    if (made?.saved === '') throw new Error(`No file was saved (${made.code}): ${made.printed}`);
    if (contract) writeFileSync(file, JSON.stringify(contract));
    const env = { STUDY_API_URL: api, STUDY_API_CONTRACT: contract === null ? '' : file };
    const gateway = await waitForUrl(start([], env));

    const fetchCalls = async () =>
      (await (await fetch(`${api}/__received`)).json()) as readonly object[];

    /** Asks one after the other. Returns the results, and the calls that the Study API received meanwhile. */
    async function ask(...asked: readonly Asked[]) {
      const before = await fetchCalls();
      const results: ExecutionResult[] = [];
      for (const { token = 'a-token', ...body } of asked) {
        const init = toPostInit(body, { authorization: `Bearer ${token}` });
        const response = await fetch(`${gateway}/graphql`, init);
        results.push((await response.json()) as ExecutionResult);
      }
      return { results, calls: (await fetchCalls()).slice(before.length) };
    }
    return { api, gateway, made, ask };
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
