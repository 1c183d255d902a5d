import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * Matches a value of `Host` with a host and an optional port (RFC 9110 §7.2, RFC 3986 §3.2.2). An empty host is no
 * origin of HTTP (RFC 9110 §4.2.1). A comma, which RFC 3986 allows in names, may come from a proxy that joined two lines.
 */
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d*)?$/i;

/** The last valid value: nearly all requests name the same host. */
let knownHost: string | undefined;

/**
 * Returns whether a request may be served by the rules for `Host` of RFC 9112 §3.2: exactly one line with a valid
 * value. HTTP/1.0 needs no `Host`. The rules hold for a request target with a host of its own, too.
 */
export function hasProperHost({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  if (headers.host !== knownHost) {
    const [host, ipv6] = HOST.exec(headers.host) ?? [];
    if (host === undefined || (ipv6 !== undefined && !isIPv6(ipv6))) return false;
    knownHost = headers.host;
  }
  let lines = 0;
  // Node's `headers` has only the first line.
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') lines += 1;
  return lines === 1;
}
