import { isIPv6 } from 'node:net';

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
    .filter((name) => read(name) !== '' && !isProxy(read(name)))
    .map(
      (name) =>
        `${name} must be an http or https URL whose user and password are percent-encoded UTF-8.`,
    );
  if (!httpProxy && !httpsProxy) return { problems };
  if (!given.split(/[,\s]+/).every(isNoProxyEntry))
    problems.push(
      'NO_PROXY must be *, or hosts such as a.example, .svc or [fd00::2]:443, separated by commas or spaces: no ranges such as 10.0.0.0/8.',
    );
  const noProxy = `${given},localhost,127.0.0.1,::1`;
  return { proxies: { httpProxy, httpsProxy, noProxy }, problems };
}

/** undici decodes user and password only when it creates the agent. */
function isProxy(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(`${username}:${password}`);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
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
