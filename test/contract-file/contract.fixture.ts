import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runContract, type ContractFile } from '../../packages/contract/src/index.js';
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
  let noted = '';
  const exit = await runContract(
    args,
    (text) => void (printed += text),
    (text) => void (noted += text),
  );
  return { exit, printed, noted };
}

/** Makes a contract of an OpenAPI document, and reads what was saved. */
export async function save(source: string) {
  const file = join(createDirectory(), 'contract.json');
  const ran = await run('--from', source, '--save', file);
  return { ...ran, contract: JSON.parse(readFileSync(file, 'utf8')) as ContractFile };
}
