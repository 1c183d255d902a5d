import { isIPv6 } from 'node:net';
import { isDecodable } from './values.js';

/**
 * Reads the variables of proxies that curl and other programs share, in lower or upper case. Never uses a proxy for this
 * machine.
 *
 * @returns `proxies` if there is any, and a sentence for each invalid variable
 */
export function readProxies(environment: Readonly<Record<string, string | undefined>>) {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  const [httpProxy, httpsProxy, given] = [
    read('HTTP_PROXY'),
    read('HTTPS_PROXY'),
    read('NO_PROXY'),
  ];
  const problems = ['HTTP_PROXY', 'HTTPS_PROXY']
    .filter((name) => read(name) !== '' && !isProxy(URL.parse(read(name))))
    .map((name) => `${name} must be an http or https URL, with user and password percent-encoded.`);
  if (!httpProxy && !httpsProxy) return { problems };
  if (!given.split(/[,\s]+/).every(isNoProxyEntry))
    problems.push(
      'NO_PROXY must be *, or hosts such as a.example, .svc or [fd00::2]:443, separated by commas or spaces: no ranges such as 10.0.0.0/8.',
    );
  const noProxy = `${given},localhost,127.0.0.1,::1`;
  return { proxies: { httpProxy, httpsProxy, noProxy }, problems };
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
