import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runContract, type ContractFile } from '../../packages/contract/src/index.js';
import { listen } from '../support/listen.js';
import { createDirectory } from '../support/process.js';
import { startPython } from '../support/python.js';

/** Names and forms of a Study API on FastAPI. The default of each is what is assumed without a contract. */
export interface Form {
  /** Names of fields in requests by their names in the document. */
  readonly request?: Readonly<Record<string, string>>;
  readonly answer?: Readonly<Record<string, string>>;
  /** Fields that no answer has. */
  readonly absent?: readonly string[];
  /** Name of what is around a study. */
  readonly around?: string;
  /** Name of the studies in a page. */
  readonly items?: string;
  readonly reads?: boolean;
  readonly firstPage?: 0 | 1;
  /** API's names of the fields that a create demands. */
  readonly required?: readonly string[];
  /** Path before `/studies`. */
  readonly prefix?: string;
}

/** Starts a Study API on FastAPI, which ends with the test. Returns its URL. */
export async function startFastApi(form: Form): Promise<string> {
  const path = fileURLToPath(new URL('study_api.py', import.meta.url));
  const { line, end } = await startPython(path, [JSON.stringify(form)]);
  onTestFinished(end);
  return line;
}

/** Serves a text at each path until the test ends. Returns the server's URL. */
export function serve(text: string, type = 'application/json'): Promise<string> {
  return listen(
    createServer((_, response) => void response.setHeader('content-type', type).end(text)),
  );
}

/** Writes a file into a new directory that is removed when the test ends. Returns its path. */
export function writeTemporary(content: unknown, name = 'contract.json'): string {
  const path = join(createDirectory(), name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

export interface Run {
  readonly exit: 0 | 1 | 2;
  readonly printed: string;
  readonly noted: string;
}

/** Runs the command `contract`. */
export async function run(...args: string[]): Promise<Run> {
  let printed = '';
  let noted = '';
  const exit = await runContract(
    args,
    (text) => void (printed += text),
    (text) => void (noted += text),
  );
  return { exit, printed, noted };
}

export interface Saved extends Run {
  /** Path of the saved contract. */
  readonly file: string;
  /** The contract without `$schema`. */
  readonly contract: ContractFile;
}

/** Makes a contract of an OpenAPI document, and reads what was saved. */
export async function save(source: string): Promise<Saved> {
  const file = join(createDirectory(), 'contract.json');
  const ran = await run('--from', source, '--save', file);
  const { $schema, ...contract } = JSON.parse(readFileSync(file, 'utf8')) as ContractFile;
  if ($schema !== './node_modules/study-gateway-contract/contract.schema.json')
    throw new Error(`The contract names the schema ${$schema}.`);
  return { ...ran, file, contract };
}
