import { isIP } from 'node:net';
import type { Config } from '../../config/config.js';
import type { AppPart } from '../../http/app.js';
import { Refusal } from '../../errors/refusal.js';

/** Matches an IPv6 address in brackets (group 1) or a name (group 2), with an optional port. */
const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d*)?$/i;

const MESSAGE = 'The gateway does not answer to this Host: add its name to ALLOWED_HOSTS.';

/**
 * Accepts only IP addresses, `localhost`, `*.localhost`, `host` and `allowedHosts` as the host of a request. Refuses
 * other hosts on every path, before bodies are read. Stops DNS rebinding: without authentication, a web page whose own
 * domain resolves to this machine could write studies, but browsers send that domain as `Host`.
 *
 * @returns `undefined` when callers must authenticate
 */
export function addHostCheck(
  auth: { readonly isOpen: boolean },
  { host, allowedHosts }: Pick<Config['http'], 'host' | 'allowedHosts'>,
): AppPart | undefined {
  if (!auth.isOpen) return undefined;
  const known = new Set(['localhost', host, ...allowedHosts].map(toName));
  const isKnown = (authority: string): boolean => {
    const name = toName(authority);
    // '' stands for a malformed host. Checked first, because an IPv6 `HOST` without brackets puts '' into `known`.
    if (name === '') return false;
    return isIP(name) !== 0 || known.has(name) || name.endsWith('.localhost');
  };
  return (app) =>
    void app.addHook('onRequest', ({ url, headers }, _, done) => {
      const authorities = [headers.host ?? ''];
      // A host in the request target overrides `Host` (RFC 9112 §3.2.2), so both must be known. The target `*` has no
      // host, and is refused.
      if (!url.startsWith('/')) authorities.push(URL.parse(url)?.host ?? '');
      if (authorities.every(isKnown)) return done();
      return done(new Refusal('BAD_REQUEST', MESSAGE, { status: 421 }));
    });
}

/** Returns a host in lower case, without brackets, port and trailing dot; '' if `authority` is malformed. */
function toName(authority: string): string {
  const [, ipv6, name = ''] = AUTHORITY.exec(authority) ?? [];
  return ipv6 ?? name.toLowerCase().replace(/\.$/, '');
}
