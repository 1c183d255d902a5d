import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { AppPart } from '../../http/app.js';
import { toRateHeaders, toRateRefusal, type RateLimiter } from './rate-limiter.js';

/** Prefix of an IPv4 address that is mapped to IPv6. */
const MAPPED = '::ffff:';

/** Returns the key under which a request is counted: its caller if known, otherwise the network of its client. */
export async function toRateLimitKey(
  request: FastifyRequest,
  readCallerId: () => string | Promise<string>,
): Promise<string> {
  try {
    return `caller:${await readCallerId()}`;
  } catch {
    // Not reported here: an operation that needs the caller fails with the error.
    const { ip, socket } = request;
    // `ip` may be no IP address, because a proxy may forward a name or `unknown`.
    return `address:${toNetwork(ip) ?? toNetwork(socket.remoteAddress)}`;
  }
}

/** Refuses operations of a caller over its limit with 429, `RATE_LIMITED`, before reading their bodies. */
export function addRequestRate(
  limiter: RateLimiter,
  toKey: (request: FastifyRequest) => Promise<string>,
): AppPart {
  return (app) =>
    void app.addHook('onRequest', async (request, reply) => {
      const { method } = request;
      if (request.routeOptions.url !== '/graphql' || (method !== 'GET' && method !== 'POST'))
        return;
      const verdict = await limiter.spend(await toKey(request), 1);
      void reply.headers(toRateHeaders(verdict));
      if (!verdict.isAllowed) throw toRateRefusal(verdict, 'requests');
    });
}

/**
 * Returns the network of a client in canonical form: an IPv4 address, or the /64 prefix of an IPv6 address, because one
 * client may own a whole /64.
 *
 * @param text an IP address with or without a port, as sockets and proxies write it; `undefined` for a closed socket
 * @returns `undefined` when `text` is not an IP address
 */
function toNetwork(text = ''): string | undefined {
  // Drops an IPv6 zone (`%eth0`), which has a meaning only on the machine that added it.
  const bare = text.replace(/%[^\]]*/, '');
  const parsed = SocketAddress.parse(isIPv6(bare) ? `[${bare}]` : bare);
  if (parsed === undefined) return undefined;
  const { address } = parsed;
  const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  return isIPv4(mapped) ? mapped : `${toGroups(address).slice(0, 4).join(':')}::/64`;
}

/** Returns the eight groups of an IPv6 address, which `SocketAddress` may have shortened by `::`. */
function toGroups(address: string): string[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((groups) => groups.split(':').filter((group) => group !== ''));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
