import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const MAPPED = '::ffff:';

/**
 * The network of a client, in one spelling: an IPv4 address, or the /64 of an IPv6 address, all of which a client may have
 * for itself.
 *
 * @param text an address with or without a port, as sockets and proxies write it; a closed socket has none
 * @returns `undefined` when it is none
 */
export function toNetwork(text = ''): string | undefined {
  // A zone names an interface of the machine that wrote it.
  const bare = text.replace(/%[^\]]*/, '');
  const parsed = SocketAddress.parse(isIPv6(bare) ? `[${bare}]` : bare);
  if (parsed === undefined) return undefined;
  const { address } = parsed;
  const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  return isIPv4(mapped) ? mapped : `${toGroups(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an address that `SocketAddress` has spelled. */
function toGroups(address: string): string[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((groups) => groups.split(':').filter((group) => group !== ''));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
