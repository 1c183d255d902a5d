import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readDocument } from './document.js';
import { ContractError } from './file.js';
import { contractFrom } from './from.js';

const options = { from: { type: 'string' }, save: { type: 'string' } } as const;

/**
 * Makes a contract from an OpenAPI document, in a new file.
 *
 * @param args the arguments after `contract` on the command line
 * @param print writes a text for a person
 * @returns the exit code: 0 if nothing is left to settle, 1 if something is, 2 if nothing could be read or written
 */
export async function runContract(
  args: readonly string[],
  print: (text: string) => void,
): Promise<0 | 1 | 2> {
  try {
    const { from, save } = parseArgs({ args: [...args], options }).values;
    if (from === undefined || save === undefined)
      throw new ContractError('"contract" needs --from <url or file> and --save <file>.');
    const { contract, baseUrl, open } = contractFrom(await readDocument(from), from);
    // A file that is there may hold what a person has settled.
    writeFileSync(save, `${JSON.stringify(contract, null, 2)}\n`, { flag: 'wx' });
    const settings = [`STUDY_API_URL=${baseUrl}`, `STUDY_API_CONTRACT=${save}`];
    if (open.length > 0) print(toList('A person must settle:', open));
    print(toList('Start the gateway with:', settings));
    return open.length > 0 ? 1 : 0;
  } catch (error) {
    // Errors of the file system and of the arguments have a code.
    if (error instanceof ContractError || (error instanceof Error && 'code' in error)) {
      print(`${error.message}\n`);
      return 2;
    }
    throw error;
  }
}

function toList(title: string, lines: readonly string[]): string {
  return `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
