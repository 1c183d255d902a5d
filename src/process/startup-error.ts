import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';
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

/** Listens on `address` for a moment. Rejects with Node's own error when that is not possible. */
export async function tryToListen(address: ListenOptions): Promise<void> {
  const server = createServer().listen(address);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Major and minor version of the oldest supported Node, as in `engines` of package.json. */
const OLDEST_NODE = [22, 19] as const;

/** Checks the version of Node. @throws ConfigError if `version` is older than `engines` in package.json allows */
export function checkNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigError(
    `It needs Node ${OLDEST_NODE.join('.')} or later, and this is ${version}. ` +
      'In the repository, npm start uses the Node that npm ci has installed.',
  );
}
