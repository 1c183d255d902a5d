import { ConfigError } from '../config/config.js';

const noDatabase = 'EMULATOR_DB: the file cannot be opened as a SQLite database.';

/**
 * Turns the error of a server that cannot listen, or of a database that cannot be opened, into a `ConfigError` that
 * names the environment variable at fault. Returns any other error unchanged.
 *
 * @param portVariable name of the environment variable that sets `port`
 */
export function toStartupError(
  error: unknown,
  portVariable: string,
  port: number,
  host: string,
): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const isNoFolder = 'syscall' in error && error.syscall === 'mkdir';
  const noAddress = `HOST: ${host} is not an address of this machine.`;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `${portVariable}: port ${port} of ${host} is taken by another program. Set ${portVariable} to a free one.`,
    EACCES: `${portVariable}: this user may not listen on port ${port}.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    EAI_AGAIN: noAddress,
    ENOTSUP: 'REUSE_PORT: this operating system does not share a port among processes. Linux does.',
    ERR_SQLITE_ERROR: noDatabase,
  };
  const message = isNoFolder ? noDatabase : messages[String(error.code)];
  return message === undefined ? error : new ConfigError(message);
}
