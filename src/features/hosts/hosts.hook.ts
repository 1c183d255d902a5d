import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { AppPart } from '../../http/app.js';
import { toErrorBody } from '../../errors/error-body.js';

/** Matches an IPv6 address in brackets (group 1) or a name (group 2), with an optional port. */
const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d*)?$/i;

const MESSAGE = 'The gateway does not answer to this Host: add its name to ALLOWED_HOSTS.';

/** Returns the refusal of a request for an unknown host, or `undefined` to let the request pass. */
export type RefuseHost = (
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  requestId?: string,
) => { readonly status: 421; readonly body: object } | undefined;

export interface HostCheckOptions {
  readonly host: string;
  /** Names to accept besides `host`, with or without a port, which is ignored. */
  readonly allowedHosts: readonly string[];
}

/**
 * Creates a check that accepts only IP addresses, `localhost`, `*.localhost`, `host` and `allowedHosts` as the host of
 * a request. The check stops DNS rebinding: without authentication, a web page whose own domain resolves to this
 * machine could write studies, but browsers send that domain as `Host`.
 *
 * @returns `undefined` when callers must authenticate
 */
export function createHostCheck(
  auth: { readonly isOpen: boolean },
  { host, allowedHosts }: HostCheckOptions,
): RefuseHost | undefined {
  if (!auth.isOpen) return undefined;
  const known = new Set(['localhost', host, ...allowedHosts].map(toName));
  const isKnown = (authority: string): boolean => {
    const name = toName(authority);
    // '' stands for a malformed host. Checked first, because an IPv6 `HOST` without brackets puts '' into `known`.
    if (name === '') return false;
    return isIP(name) !== 0 || known.has(name) || name.endsWith('.localhost');
  };
  return ({ url = '', headers }, requestId) => {
    const authorities = [headers.host ?? ''];
    // A host in the request target overrides `Host` (RFC 9112 §3.2.2), so both must be known. The target `*` has no
    // host, and is refused.
    if (!url.startsWith('/')) authorities.push(URL.parse(url)?.host ?? '');
    if (authorities.every(isKnown)) return undefined;
    return { status: 421, body: toErrorBody(MESSAGE, 'BAD_REQUEST', requestId) };
  };
}

/** Returns a host in lower case, without brackets, port and trailing dot; '' if `authority` is malformed. */
function toName(authority: string): string {
  const [, ipv6, name = ''] = AUTHORITY.exec(authority) ?? [];
  return ipv6 ?? name.toLowerCase().replace(/\.$/, '');
}

/** Refuses requests for unknown hosts on every path, before their bodies are read. */
export function addHostCheck(refuseHost: RefuseHost): AppPart {
  return (app) =>
    void app.addHook('onRequest', (request, reply, done) => {
      const refusal = refuseHost(request.raw, request.id);
      if (!refusal) return done();
      return reply.code(refusal.status).send(refusal.body);
    });
}
