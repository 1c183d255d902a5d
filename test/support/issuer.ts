import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWTPayload,
} from 'jose';
import type { TestGatewayOptions } from './gateway.js';
import { listen } from './listen.js';

export const issuer = 'https://issuer.example.com/';
export const audience = 'study-gateway';

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

export interface Issuer {
  /** Settings of a gateway that accepts the tokens of this issuer. */
  readonly options: TestGatewayOptions;
  /** Returns how often the issuer's keys have been fetched. */
  readonly fetches: () => number;
  /** Signs a JWT that is valid for five minutes. `claims` and `header` override; `undefined` removes a claim. */
  readonly sign: (claims?: JWTPayload, header?: { alg?: string; kid?: string }) => Promise<string>;
  /** Returns the current public key in PEM format. */
  readonly publicKey: () => Promise<string>;
  /** Returns the JSON Web Key Set that the issuer publishes. */
  readonly keySet: () => string;
  /** Replaces the signing key, and publishes only the new key. */
  readonly rotate: () => Promise<void>;
  /** Answers later requests for the keys with `answer`; `undefined` restores the key set. */
  readonly answerWith: (answer: RequestListener | undefined) => void;
  readonly stop: () => Promise<void>;
}

export const now = (): number => Math.floor(Date.now() / 1_000);

/** Starts an issuer of JWTs that publishes its keys over HTTP. It stops when the test ends. */
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
  const url = await listen(server);

  return {
    options: {
      authMode: 'service',
      studyApiToken: 'service-token',
      jwtJwksUrl: new URL(`${url}/keys`),
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
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function createKey(alg: string, kid: string): Promise<SigningKey> {
  return { ...(await generateKeyPair(alg, { extractable: true })), alg, kid };
}

async function toKeySet({ publicKey, kid, alg }: SigningKey): Promise<string> {
  return JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }] });
}
