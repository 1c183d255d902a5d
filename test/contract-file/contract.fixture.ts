import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runContract } from '../../packages/contract/src/index.js';
import { createDirectory } from '../support/process.js';

/** Writes a file into a new directory that is removed when the test ends. Returns its path. */
export function writeTemporary(content: unknown, name = 'contract.json'): string {
  const path = join(createDirectory(), name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Runs the command `contract`. */
export async function run(...args: string[]) {
  let printed = '';
  const exit = await runContract(args, (text) => void (printed += text));
  return { exit, printed };
}

/** Makes a contract of an OpenAPI document, and reads what was saved; `undefined` if nothing was. */
export async function save(source: string) {
  const file = join(createDirectory(), 'contract.json');
  const ran = await run('--from', source, '--save', file);
  const contract: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  return { ...ran, contract };
}
