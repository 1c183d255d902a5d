import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { contractFrom, type Reading } from './from.js';
import { readDocument, toDocumentUrl, type ParseDocument } from './openapi.js';
import { ContractError, toContractError } from './contract.js';

/** Functions that write the output of the command. */
export interface ContractOutput {
  readonly print: (text: string) => void;
  /** Writes to the terminal of a person, not into the file that the output may be redirected to. */
  readonly note: (text: string) => void;
  /** Parses the text of a document: `JSON.parse`, or a parser of YAML. */
  readonly parse: ParseDocument;
}

/** Exit code: 0 if nothing is left to settle, 1 if something is, 2 if nothing could be read or written. */
export type ContractExit = 0 | 1 | 2;

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
 */
export async function runContract(
  args: readonly string[],
  output: ContractOutput,
): Promise<ContractExit> {
  const options = readArguments(args);
  try {
    if (options?.from !== undefined) return await makeContract(options.from, options.save, output);
    output.note('Wrong arguments. See study-gateway contract --help.\n');
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    output.note(`${error.message}\n`);
  }
  return 2;
}

/** Returns `undefined` for wrong arguments. */
function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { from: text, save: text } }).values;
  } catch {
    return undefined;
  }
}

async function makeContract(
  source: string,
  file: string | undefined,
  { print, note, parse }: ContractOutput,
): Promise<ContractExit> {
  const reading = contractFrom(await readDocument(source, parse), toDocumentUrl(source));
  const text = `${JSON.stringify({ $schema, ...reading.contract }, null, 2)}\n`;
  try {
    if (file === undefined) print(text);
    // A new file: one that is there may hold what a person has settled.
    else writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw toContractError(String(file), 'cannot be written', error);
  }
  note(toReport(reading, file));
  return reading.open.length > 0 ? 1 : 0;
}

function toReport({ matched, open, baseUrl }: Reading, file: string | undefined): string {
  const toList = (title: string, lines: readonly string[]): string =>
    lines.length > 0 ? `${title}\n${lines.map((line) => `  ${line}\n`).join('')}` : '';
  const settings = [`STUDY_API_URL=${baseUrl ?? '<address of the API>'}`];
  if (file !== undefined) settings.push(`STUDY_API_CONTRACT=${file}`);
  return (
    toList('Matched:', matched) +
    toList('A person must settle:', open) +
    toList('Start the gateway with:', settings)
  );
}
