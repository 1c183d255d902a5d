import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { listen } from '../support/listen.js';
import { createDirectory } from '../support/process.js';

export interface ForwardProxy {
  readonly url: string;
  /** Host and port of each tunnel that was asked for. */
  readonly asked: readonly string[];
}

/**
 * Starts a forward proxy whose tunnels all lead to `target`, whatever host they ask for.
 *
 * @param answer answers a CONNECT in place of the proxy
 * @param maxBytes number of bytes to pass on to the target before the proxy cuts a tunnel. Default: all
 */
export async function startForwardProxy(
  target: string,
  answer?: (socket: Socket) => void,
  maxBytes = Infinity,
): Promise<ForwardProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(400).end());
  server.on('connect', ({ url = '' }, socket: Socket) => {
    asked.push(url);
    sockets.add(socket);
    socket.on('error', () => {});
    if (answer) return answer(socket);
    const { hostname, port } = new URL(target);
    const tunnel = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      tunnel.pipe(socket);
      let passed = 0;
      const cutAfter = (chunk: Buffer): void => {
        tunnel.write(chunk.subarray(0, maxBytes - passed));
        passed += chunk.length;
        if (passed >= maxBytes) tunnel.end(() => socket.destroy());
      };
      socket.on('data', cutAfter);
    });
    tunnel.on('error', () => {});
    socket.on('close', () => tunnel.destroy());
  });
  const url = await listen(server);
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return { url, asked };
}

/** Starts a TLS server whose certificate for `*.example` a CA of its own has signed. Returns its URL and the CA's file. */
export async function startTlsServer(listener: RequestListener) {
  const directory = createDirectory();
  const path = (name: string): string => join(directory, name);
  const openssl = (...args: string[]): void =>
    void execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const ca = ['-subj', '/CN=A private CA', '-keyout', 'ca.key', '-out', 'ca.pem'];
  const names = 'subjectAltName=DNS:study-api.example,DNS:issuer.example';
  const own = ['-subj', '/CN=study-api.example', '-keyout', 'own.key', '-out', 'own.pem'];
  openssl('req', '-x509', ...key, ...ca);
  openssl('req', '-x509', ...key, ...own, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', names);
  const files = { key: readFileSync(path('own.key')), cert: readFileSync(path('own.pem')) };
  const server = createTlsServer(files, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, ca: path('ca.pem') };
}
