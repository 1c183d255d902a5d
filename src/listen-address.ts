import { lookup } from 'node:dns/promises';

/** The first address of a name. For each further one Fastify would make a server that nobody watches or drains. */
export async function toListenAddress(host: string): Promise<string> {
  const { address } = await lookup(host, { order: 'ipv4first' });
  return address;
}
