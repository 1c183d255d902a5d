import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { contractFrom, type Reading } from './from.js';
import { readDocument, toDocumentUrl } from './openapi.js';
import { ContractError, toContractError } from './contract.js';

/** How the command is used. */
export const usage = `Usage: study-gateway contract --from <url or file> [--save <file>]
  --from  reads the OpenAPI document of a Study API, and makes the contract
  --save  writes the contract to this new file. Default: prints the contract`;

/** Place of the JSON Schema for editors, relative to a project that has installed the package. */
const $schema = './node_modules/study-gateway-contract/contract.schema.json';

/**
 * Makes a contract from an OpenAPI document.
 *
 * @param args the arguments after `contract` on the command line
 * @param print writes to stdout, which may be redirected to a file
 * @param note writes to the terminal of a person
 * @returns the exit code: 0 if nothing is left to settle, 1 if something is, 2 if nothing could be read or written
 */
export async function runContract(
  args: readonly string[],
  print: (text: string) => void,
  note: (text: string) => void,
): Promise<0 | 1 | 2> {
  const { from, save } = readArguments(args);
  if (from === undefined) {
    note('Wrong arguments. See study-gateway contract --help.\n');
    return 2;
  }
  try {
    const reading = contractFrom(await readDocument(from), toDocumentUrl(from));
    const text = `${JSON.stringify({ $schema, ...reading.contract }, null, 2)}\n`;
    if (save === undefined) print(text);
    else writeNew(save, text);
    note(toReport(reading, save));
    return reading.open.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    note(`${error.message}\n`);
    return 2;
  }
}

function readArguments(args: readonly string[]): { from?: string; save?: string } {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { from: text, save: text } }).values;
  } catch {
    return {};
  }
}

/** Writes a new file: one that is there may hold what a person has settled. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw toContractError(file, 'cannot be written', error);
  }
}

function toReport({ open, baseUrl }: Reading, file: string | undefined): string {
  const settings = [`STUDY_API_URL=${baseUrl ?? '<address of the API>'}`];
  if (file !== undefined) settings.push(`STUDY_API_CONTRACT=${file}`);
  const toList = (title: string, lines: readonly string[]): string =>
    `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
  const settled = open.length > 0 ? toList('A person must settle:', open) : '';
  return settled + toList('Start the gateway with:', settings);
}
