import { lookup } from 'node:dns/promises';

/**
 * Resolves a host name to its first address, IPv4 before IPv6. Given `localhost`, Fastify would start a further server
 * for each further address, which the gateway could not drain.
 */
export async function toListenAddress(host: string): Promise<string> {
  const { address } = await lookup(host, { order: 'ipv4first' });
  return address;
}
