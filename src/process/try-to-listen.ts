import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';

/** Returns why `address` cannot be listened on, as Node's own error; `undefined` when it can. */
export async function tryToListen(address: ListenOptions): Promise<unknown> {
  const server = createServer().listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    return error;
  }
  server.close();
  await once(server, 'close');
  return undefined;
}
