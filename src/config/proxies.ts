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
  return { httpProxy, httpsProxy, noProxy: `${read('NO_PROXY')},localhost,127.0.0.1,::1` };
}

function isProxy(url: URL | null): boolean {
  return url !== null && /^https?:$/.test(url.protocol) && isDecodable(url);
}
