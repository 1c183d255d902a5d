/** Request of the program's arguments. */
export type Arguments =
  | { readonly command: 'gateway' | 'version' | 'emulator' }
  | { readonly command: 'contract' | 'doctor'; readonly args: readonly string[] }
  | { readonly command: 'help'; readonly of: 'contract' | undefined };

/** Wrong arguments. The message is a sentence. */
export class ArgumentError extends Error {}

export const usage = `Usage: study-gateway [command]

Without a command, it starts the gateway with the settings in the environment.

Commands:
  emulator  starts a Study API for development
  contract  makes the contract of a Study API
  doctor    checks the Study API; with --write --project <uuid>, by writing too

Options:
  -h, --help     prints this text, or after contract its options
  -v, --version  prints the version
`;

/** @throws ArgumentError for an unknown command or option */
export function readArguments(args: readonly string[]): Arguments {
  const [command, ...rest] = args;
  if (args.includes('--help') || args.includes('-h'))
    return { command: 'help', of: command === 'contract' ? command : undefined };
  if (args.includes('--version') || args.includes('-v')) return { command: 'version' };
  if (command === 'contract' || command === 'doctor') return { command, args: rest };
  if (command === undefined) return { command: 'gateway' };
  if (command !== 'emulator') throw new ArgumentError(`"${command}" is not a command.`);
  if (rest.length > 0) throw new ArgumentError('"emulator" has no options.');
  return { command };
}
