// Services that some paths need beside the Study API. All listen on free ports of 127.0.0.1.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface Issuer {
  /** Environment of a gateway that accepts the issuer's tokens. */
  readonly env: Readonly<Record<string, string>>;
  /** A JWT, RS256, valid for an hour. */
  readonly token: string;
  readonly stop: () => void;
}

/** Starts an issuer of JWTs, which publishes its key. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }];
  const server = createServer((_, response) => void response.end(JSON.stringify({ keys })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const issuer = 'https://issuer.example.com/';
  const audience = 'study-gateway';
  return {
    env: {
      JWT_JWKS_URL: `http://127.0.0.1:${port}/keys`,
      JWT_ISSUER: issuer,
      JWT_AUDIENCE: audience,
    },
    token: await new SignJWT({ iss: issuer, aud: audience, sub: 'ada' })
      .setProtectedHeader({ alg: 'RS256', kid: 'bench' })
      .setExpirationTime('1h')
      .sign(privateKey),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface Redis {
  readonly url: string;
  readonly stop: () => void;
}

/** Starts redis-server on this port, which keeps everything in memory; `undefined` where it is not installed. */
export async function startRedis(port: number): Promise<Redis | undefined> {
  if (spawnSync('redis-server', ['--version']).error) return undefined;
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  for await (const chunk of child.stdout)
    if (String(chunk).includes('Ready to accept connections')) break;
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') };
}
