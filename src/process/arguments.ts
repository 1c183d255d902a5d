/** Request of the program's arguments. */
export type Arguments =
  | { readonly command: 'gateway' | 'version' | 'emulator' | 'help' }
  | { readonly command: 'contract' | 'doctor'; readonly args: readonly string[] };

/** Wrong arguments. The message is a sentence. */
export class ArgumentError extends Error {}

export const usage = `Usage: study-gateway [command]

Without a command, it starts the gateway with the settings in the environment.

Commands:
  emulator  starts a Study API for development
  contract  makes the contract of a Study API
              --from <url or file>  of this OpenAPI document
              --save <file>         into this new file
  doctor    checks the Study API
              --write --project <uuid>  by writing into this project too

Options:
  -h, --help     prints this text
  -v, --version  prints the version
`;

/** @throws ArgumentError for an unknown command or option */
export function readArguments(args: readonly string[]): Arguments {
  const [command, ...rest] = args;
  if (args.includes('--help') || args.includes('-h')) return { command: 'help' };
  if (args.includes('--version') || args.includes('-v')) return { command: 'version' };
  if (command === 'contract' || command === 'doctor') return { command, args: rest };
  if (command === undefined) return { command: 'gateway' };
  if (command !== 'emulator') throw new ArgumentError(`"${command}" is not a command.`);
  if (rest.length > 0) throw new ArgumentError('"emulator" has no options.');
  return { command };
}
