import { isIPv6 } from 'node:net';
import type { Proxies } from 'rest-outcome';
import { isDecodable } from './values.js';

/**
 * Reads the variables of proxies that curl and other programs share, in lower or upper case. Never uses a proxy for this
 * machine.
 *
 * @param fail called with a sentence for the first invalid variable
 * @returns `undefined` without any proxy
 */
export function readProxies(
  environment: Readonly<Record<string, string | undefined>>,
  fail: (problem: string) => never,
): Proxies | undefined {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY'])
    if (read(name) !== '' && !isProxy(URL.parse(read(name))))
      fail(`${name} must be an http or https URL, with user and password percent-encoded.`);
  const [httpProxy, httpsProxy] = [read('HTTP_PROXY'), read('HTTPS_PROXY')];
  if (!httpProxy && !httpsProxy) return undefined;
  const given = read('NO_PROXY');
  if (!given.split(/[,\s]+/).every(isNoProxyEntry))
    fail(
      'NO_PROXY must be *, or hosts such as a.example, .svc or [fd00::2]:443, separated by commas or spaces: no ranges such as 10.0.0.0/8.',
    );
  return { httpProxy, httpsProxy, noProxy: `${given},localhost,127.0.0.1,::1` };
}

function isProxy(url: URL | null): boolean {
  return url !== null && /^https?:$/.test(url.protocol) && isDecodable(url);
}

/** Returns true for what undici can match with the host of a URL. It compares texts, so a host must have the form that URLs give it. */
function isNoProxyEntry(entry: string): boolean {
  if (entry === '' || entry === '*') return true;
  const host = isIPv6(entry) ? `[${entry}]` : entry.replace(/^\*?\./, '').replace(/:\d{1,5}$/, '');
  return (
    /^([\w-]+(\.[\w-]+)*\.?|\[[\da-f:.]+\])$/i.test(host) &&
    URL.parse(`http://${host}`)?.hostname === host.toLowerCase()
  );
}
