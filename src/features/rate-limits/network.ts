import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * Returns the network of a client in canonical form: an IPv4 address, or the /64 prefix of an IPv6 address, because one
 * client may own a whole /64.
 *
 * @param text an IP address with or without a port, as sockets and proxies write it; `undefined` for a closed socket
 * @returns `undefined` when `text` is not an IP address
 */
export function toNetwork(text = ''): string | undefined {
  // Drops an IPv6 zone (`%eth0`), which has a meaning only on the machine that added it.
  const bare = text.replace(/%[^\]]*/, '');
  const parsed = SocketAddress.parse(isIPv6(bare) ? `[${bare}]` : bare);
  if (parsed === undefined) return undefined;
  const { address } = parsed;
  const mapped = address.replace(/^::ffff:/, '');
  return isIPv4(mapped) ? mapped : `${toGroups(address).slice(0, 4).join(':')}::/64`;
}

/** Returns the eight groups of an IPv6 address, which `SocketAddress` may have shortened by `::`. */
function toGroups(address: string): string[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((groups) => groups.split(':').filter((group) => group !== ''));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
