import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWTPayload,
} from 'jose';
import { onTestFinished } from 'vitest';
import type { TestGatewayOptions } from './gateway.js';

export const issuer = 'https://issuer.example.com/';
export const audience = 'study-gateway';

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

export interface Issuer {
  /** A gateway that takes what it signs. */
  readonly options: TestGatewayOptions;
  /** How often its keys were asked for. */
  readonly fetches: () => number;
  /** A JWT that is good for five minutes, but for what is said; a claim that is `undefined` is left out. */
  readonly sign: (claims?: JWTPayload, header?: { alg?: string; kid?: string }) => Promise<string>;
  /** The public key, as text that anybody can have. */
  readonly publicKey: () => Promise<string>;
  /** What it publishes. */
  readonly keySet: () => string;
  /** Another key takes the place of the one it signs with. */
  readonly rotate: () => Promise<void>;
  /** From now on its keys are answered so. */
  readonly answerWith: (answer: RequestListener | undefined) => void;
  readonly stop: () => Promise<void>;
}

export const now = (): number => Math.floor(Date.now() / 1_000);

/** One that publishes its keys over real HTTP. It ends with the test. */
export async function startIssuer(alg = 'ES256'): Promise<Issuer> {
  let key = await createKey(alg, 'key-1');
  let keySet = await toKeySet(key);
  let fetches = 0;
  let answer: RequestListener | undefined;
  const server = createServer((request, response) => {
    fetches++;
    if (answer) answer(request, response);
    else response.end(keySet);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;

  return {
    options: {
      authMode: 'service',
      studyApiToken: 'service-token',
      jwtJwksUrl: new URL(`http://127.0.0.1:${port}/keys`),
      jwtIssuer: issuer,
      jwtAudience: audience,
    },
    fetches: () => fetches,
    sign: (claims, header) => {
      const payload = { iss: issuer, aud: audience, sub: 'ada', exp: now() + 300, ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
        .sign(key.privateKey);
    },
    publicKey: () => exportSPKI(key.publicKey),
    keySet: () => keySet,
    rotate: async () => {
      key = await createKey(alg, `${key.kid}-next`);
      keySet = await toKeySet(key);
    },
    answerWith: (given) => {
      answer = given;
    },
    stop,
  };
}

async function createKey(alg: string, kid: string): Promise<SigningKey> {
  return { ...(await generateKeyPair(alg, { extractable: true })), alg, kid };
}

async function toKeySet({ publicKey, kid, alg }: SigningKey): Promise<string> {
  return JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }] });
}
