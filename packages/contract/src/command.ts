import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { contractFrom, type Reading } from './contract-from.js';
import { ContractError, toContractError } from './contract.js';
import { isObject } from './json.js';

/** Functions that write the output of the command. */
export interface ContractOutput {
  readonly print: (text: string) => void;
  /** Writes to the terminal of a person, not into the file that the output may be redirected to. */
  readonly note: (text: string) => void;
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
  { print, note }: ContractOutput,
): Promise<ContractExit> {
  // Loaded for this command alone: the gateway reads a contract at each start, and never a document.
  const { readDocument, toDocumentUrl } = await import('./openapi-document.js');
  const reading = contractFrom(await readDocument(source), toDocumentUrl(source));
  const text = `${toText({ $schema, ...reading.contract })}\n`;
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

/** Maximum length of an object that is written in one line. */
const MAX_LINE_LENGTH = 100;

/** Writes JSON as a person would: an object of many members has a line for each. */
function toText(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => toText(item)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${toText(member, inner)}`,
  );
  const line = `{ ${members.join(', ')} }`;
  if (line.length <= MAX_LINE_LENGTH && !line.includes('\n')) return line;
  return `{\n${inner}${members.join(`,\n${inner}`)}\n${indent}}`;
}

function toReport({ matched, open, baseUrl }: Reading, file: string | undefined): string {
  const toList = (title: string, lines: readonly string[]): string =>
    lines.length > 0 ? `${title}\n${lines.map((line) => `  ${line}\n`).join('')}` : '';
  const settings = [
    `STUDY_API_URL=${URL.canParse(baseUrl) ? '' : '<address of the API>'}${baseUrl}`,
  ];
  if (file !== undefined) settings.push(`STUDY_API_CONTRACT=${file}`);
  return (
    toList('Matched:', matched) +
    toList('A person must settle:', open) +
    toList('Start the gateway with:', settings)
  );
}
