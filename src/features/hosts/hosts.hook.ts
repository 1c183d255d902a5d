import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { AppPart } from '../../http/app.js';
import { toErrorBody } from '../../http/error-body.js';

/** An IPv6 address in brackets, or another name, and a port. */
const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d*)?$/i;

const MESSAGE = 'The gateway does not answer to this Host: add its name to ALLOWED_HOSTS.';

/** Returns the refusal of a request for a foreign host; `undefined` lets the request go on. */
export type RefuseHost = (
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  requestId?: string,
) => { readonly status: 421; readonly body: object } | undefined;

export interface HostCheckOptions {
  readonly host: string;
  /** With or without a port, which does not count. */
  readonly allowedHosts: readonly string[];
}

/**
 * Accepts requests for IP addresses, `localhost`, `*.localhost`, `host` and `allowedHosts` only. Where nobody has to prove who they are, any
 * page whose own name leads to this machine (DNS rebinding) could write studies; but a browser always says that name.
 *
 * @returns `undefined` where callers must prove who they are
 */
export function createHostCheck(
  auth: { readonly isOpen: boolean },
  { host, allowedHosts }: HostCheckOptions,
): RefuseHost | undefined {
  if (!auth.isOpen) return undefined;
  const known = new Set(['localhost', host, ...allowedHosts].map(toName));
  const isKnown = (authority: string): boolean => {
    const name = toName(authority);
    // An unreadable host has no name. An IPv6 address in HOST has none either, and must not make the empty name known.
    if (name === '') return false;
    return isIP(name) !== 0 || known.has(name) || name.endsWith('.localhost');
  };
  return ({ url = '', headers }, requestId) => {
    const authorities = [headers.host ?? ''];
    // RFC 9112 §3.2.2: an authority in the target stands in place of Host. `*` has none.
    if (!url.startsWith('/')) authorities.push(URL.parse(url)?.host ?? '');
    if (authorities.every(isKnown)) return undefined;
    return { status: 421, body: toErrorBody(MESSAGE, 'BAD_REQUEST', requestId) };
  };
}

/** In lower case, without brackets, port, and the dot of the root. '' when there is none. */
function toName(authority: string): string {
  const [, ipv6, name = ''] = AUTHORITY.exec(authority) ?? [];
  return ipv6 ?? name.toLowerCase().replace(/\.$/, '');
}

/** Refuses requests for other hosts at every path, before anything else is done for them. */
export function addHostCheck(refuseHost: RefuseHost): AppPart {
  return (app) =>
    void app.addHook('onRequest', (request, reply, done) => {
      const refusal = refuseHost(request.raw, request.id);
      if (!refusal) return done();
      return reply.code(refusal.status).send(refusal.body);
    });
}
